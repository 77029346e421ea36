/** Everyday words of offices that say the same, English: a name of the group, and its words and phrases. */
export const EN = `
leave: leave | holiday | holidays | vacation | time off | day off | days off | pto | annual leave | vacation day | vacation days
sick: sick | ill | illness | unwell | sickness | sick leave | off sick
doctor: doctor | physician | gp
note: note | certificate | attestation
parental: parental | maternity | paternity | baby leave
salary: salary | pay | wage | wages | paycheck | payslip | payroll | paid | pay day | payday
bonus: bonus | premium | incentive
raise: raise | pay rise | salary increase
contract: contract | agreement
notice: notice period | resign | resignation | quit | hand in notice | termination
join: onboarding | new joiner | new joiners | newcomer | newcomers | new hire | new hires | new starter | new starters | first day
applicant: applicant | candidate | job applicant
hire: hire | recruit | recruiting | hiring | recruitment
training: training | course | courses | workshop | seminar | class | learn | learning
colleague: colleague | coworker | coworkers | co-worker | teammate | workmate
boss: boss | manager | supervisor | line manager | team lead | superior
employee: employee | staff | personnel | worker
intern: intern | trainee | apprentice | internship | working student
freelancer: freelancer | contractor | external | externals
guest: guest | visitor
remote: remote | remotely | from home | home office | wfh | work from home | telework
abroad: abroad | overseas | another country | foreign country | other countries
overtime: overtime | extra hours | additional hours
hours: hours | working hours | work hours | opening hours
pension: pension | retirement
insurance: insurance | insured | insure | coverage
illegal: harassment | bullying | misconduct
travel: travel | trip | trips | journey | business trip | travelling | traveling
flight: flight | fly | plane | flights | airfare | air
train: train | railway | rail
hotel: hotel | accommodation | lodging | overnight stay
car: car | vehicle | cars | van
mileage: mileage | kilometre allowance | kilometer allowance | per kilometre | per mile
taxi: taxi | cab | uber
bike: bike | bicycle | cycle
parking: parking | park | garage | car park | parking lot | parking space | parking spot
expense: expense | expenses | costs | outlay | spending
refund: refund | reimburse | reimbursed | reimbursement | money back | pay back | paid back | get back | claim back | compensate | compensated | claim
receipt: receipt | receipts | slip | proof of purchase
allowance: allowance | per diem | daily rate | daily allowance | subsidy
price: price | cost | fee | charge | rate | how expensive
budget: budget | funds | funding
money: money | cash
invoice: invoice | bill | invoices | billing
supplier: supplier | vendor | provider
customer: customer | client | clients
buy: buy | purchase | order | procure | acquire | procurement | bought
pay: payment | settle | transfer money
card: card | credit card
tax: tax | vat | taxes
bank: bank | bank account | iban
approve: approve | approval | sign off | sign-off | authorise | authorize | authorisation | authorization | okay | ok | green light | permission | consent | sign | signs | signature | signed | countersign | approver
allowed: allowed | permitted | may | okay to | entitled | entitlement | eligible | permit | forbidden | prohibited | permissible
apply: apply | request | application | put in for | ask for | submit a request
submit: submit | hand in | send in | file | turn in | upload
form: form | template | sheet | questionnaire | paper | paperwork
deadline: deadline | due date | due | cutoff | cut-off | latest | at the latest | closing date | by when
limit: limit | maximum | max | cap | ceiling | upper limit | at most | up to
minimum: minimum | min | at least
responsible: responsible | in charge | charge of | owner | owns | own | look after | looks after | looking after | take care | takes care | contact person | contact | maintain | maintains | maintainer | accountable | runs | point of contact | handles | handle | deal with | deals with | responsibility
password: password | passphrase | pass word | pwd | passcode | pin
reset: reset | forgot | forgotten | recover | lost | lose
login: login | log in | log into | sign in | sign into | log on | logon | signing in | logging in
account: account | user account | profile
access: access | rights | access rights | permissions | get into | get in | enter | entry
vpn: vpn | tunnel
wifi: wifi | wi-fi | wireless | wlan | internet
laptop: laptop | notebook | computer | pc | macbook | machine
screen: screen | monitor | display
phone: phone | mobile | cell | cellphone | smartphone | telephone | handset | mobile phone
headset: headset | headphones | earphones
printer: printer | print | printing | copier
scan: scan | scanner
software: software | app | application | program | tool | programme
licence: licence | license | subscription | licences | licenses
install: install | installation | set up | setup | set-up
update: update | upgrade | new version | patch
backup: backup | back up | restore
mail: email | e-mail | mail | mailbox | inbox
list: mailing list | distribution list
security: security | secure | safety
virus: virus | malware | phishing | spam
stolen: stolen | theft | thief
broken: broken | not working | doesn work | does not work | defective | faulty | out of order | doesn t work | isn t working | stopped working | fails | failing | malfunction | damaged | damage | crash | crashes | crashed
repair: repair | fix | fixed | mend | maintenance | service
replace: replace | replacement | swap | exchange | substitute | spare
server: server | host | machine room
outage: outage | downtime | unavailable | down | incident | emergency
oncall: on call | on-call | standby | on duty | rota | pager | duty
deploy: deploy | deployment | release | roll out | rollout | ship | go live | launch | publish
bug: bug | defect | error | issue | problem | fault
code: code | source | repository | repo
docs: documentation | docs | manual | guide | handbook | instructions | wiki
desk: desk | workplace | workstation | seat
chair: chair | stool
room: room | meeting room | conference room
reserve: reserve | book | booking | reservation | reserved | booked
meeting: meeting | meetings | appointment | get-together | call
key: key | keys
badge: badge | id card | access card | pass | key card | keycard | fob | key fob | swipe card
building: building | office | premises | house | site | headquarters
floor: floor | storey | level
door: door | gate | entrance
lock: lock | locked | close up | lock up
open: open | opens | opened
kitchen: kitchen | kitchenette | pantry
coffee: coffee | espresso
lunch: lunch | canteen | cafeteria | meal | meals | food | catering | eat
drink: drink | drinks | beverage
fridge: fridge | refrigerator
parcel: parcel | package | delivery | post | shipment | packages
clean: clean | cleaning | cleaner | cleaners | tidy
trash: trash | rubbish | garbage | waste | bin | recycling | recycle | disposal | dispose | throw away | get rid
heating: heating | heater | radiator | temperature | cold | warm
aircon: air conditioning | aircon | ac | cooling
light: light | lights | lamp | lighting
plant: plant | plants | flowers
fire: fire | evacuation | evacuate | fire alarm | alarm
firstaid: first aid | injury | accident | hurt | injured
shower: shower | changing room
child: child | children | kid | kids | childcare | daycare | nursery
family: family | partner | spouse | wife | husband
dog: dog | dogs | pet | pets
party: party | celebration | celebrate | get together | summer party | christmas party
gift: gift | gifts | present | presents
birthday: birthday | anniversary | jubilee
event: event | conference | fair | trade fair
team: team | department | group | unit | crew
start: start | begin | starts | begins | commence | kick off
end: end | finish | ends | stop | over | expire | expires | expiry | run out | runs out
last: last | takes | take | how long | duration | lasts
change: change | modify | alter | adjust | edit | switch | amend
cancel: cancel | call off | cancellation | withdraw
postpone: postpone | reschedule | move | shift | delay | put off
carry: carry over | roll over | carried over | transfer | leftover | left over | remaining | unused | carry forward
delete: delete | remove | erase | wipe | deletion | purge
keep: keep | retain | retention | store | stored | archive | save | storage | archived | kept
create: create | make | new one | draft | produce
share: share | sharing | pass on | forward
borrow: borrow | lend | loan | rent | hire car | rental | lent
return: return | give back | bring back | hand back | returned
report: report | notify | inform | tell | let know | announce | reporting
complain: complain | complaint | complaints
help: help | support | assistance | helpdesk | assist
big: big | large | huge | size
small: small | little | tiny
often: often | frequently | frequency | every how many | how regularly
near: near | nearby | close to | next to
quick: quick | fast | urgent | urgently | asap | quickly
example: example | sample
address: address | location | located
number: number | figure
list2: list | overview | register | directory | inventory
rule: rule | rules | policy | policies | guideline | guidelines | regulation | regulations
logo: logo | branding | brand
slide: slide | slides | presentation | deck | powerpoint
picture: picture | photo | image | photos | pictures
website: website | web site | homepage | site page
press: press | journalist | media | reporter
data: data | information | info
personal: personal data | gdpr | privacy | data protection
confidential: confidential | secret | nda | non-disclosure
customerdata: customer data | client data
test: test | testing | trial | try out
env: staging | test environment
database: database | db
signup: sign up | register for | enrol | enroll | registration
feedback: feedback | review | appraisal | evaluation
goal: goal | objective | target | okr | okrs
promotion: promotion | promoted | career
moving: moving house | relocation | relocate | moving
wedding: wedding | marry | marriage | getting married
funeral: funeral | bereavement | death
volunteer: volunteer | volunteering | charity | donate | donation
sport: gym | sport | sports | fitness
ticket: ticket | tickets
visa: visa | work permit | residence permit
lawyer: lawyer | legal | attorney | legal department
hr: hr | human resources | people team | personnel department
it: it department | it support | helpdesk team | service desk
finance: finance | accounting | accounts department | bookkeeping
`;
