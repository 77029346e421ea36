/** Everyday words of offices that say the same, English: a name of the group, and its words and phrases. */
export const EN = `
leave: leave | holiday | holidays | vacation | time off | day off | days off | pto | annual leave | vacation day | vacation days
sick: sick | ill | illness | unwell | sickness | sick leave | off sick
doctor: doctor | physician | gp
note: note | certificate | attestation
parental: parental | maternity | paternity | baby leave
salary: salary | wage | wages | paycheck | payslip | payroll | pay slip | pay day | payday
bonus: bonus | premium | incentive
!raise: pay rise | salary increase | more money
contract: contract | agreement
!notice: notice period | resign | resignation | quit | hand in notice | period of notice | give notice | leave the company
!join: onboarding | new joiner | new joiners | newcomer | newcomers | new hire | new hires | new starter | new starters | joining | newbie | joins | new colleague | new here
applicant: applicant | candidate | job applicant
hire: hire | recruit | recruiting | hiring | recruitment
training: training | course | courses | seminar | class | learn | learning | further education
colleague: colleague | coworker | coworkers | co-worker | teammate | workmate | colleagues
boss: boss | manager | supervisor | line manager | team lead | superior
employee: employee | staff | personnel | worker
intern: intern | trainee | apprentice | internship | working student
freelancer: freelancer | contractor | external | externals
guest: guest | visitor
remote: remote | remotely | from home | home office | wfh | work from home | telework
abroad: abroad | overseas | another country | foreign country | other countries
overtime: overtime | extra hours | additional hours
pension: pension | retirement
insurance: insurance | insured | insure | coverage
travel: travel | trip | trips | journey | business trip | travelling | traveling
flight: flight | fly | plane | flights | airfare | air
train: train | railway | rail
hotel: hotel | accommodation | lodging | overnight stay
car: car | vehicle | cars | van | transporter | vans | vehicles | company car | pool car
mileage: mileage | kilometre allowance | kilometer allowance | per kilometre | per mile
taxi: taxi | cab | uber
bike: bike | bicycle | cycle
parking: parking | park | garage | car park | parking lot | parking space | parking spot
expense: expense | expenses | outlay | spending | expense report
!refund: refund | reimburse | reimbursed | reimbursement | money back | pay back | paid back | get back | claim back | compensate | compensated | claim
receipt: receipt | receipts | slip | proof of purchase
allowance: allowance | per diem | daily rate | daily allowance | subsidy
!price: price | cost | fee | charge | how expensive | costs | tariff | charged
budget: budget | funds | funding
money: money | cash
invoice: invoice | bill | invoices | billing
supplier: supplier | vendor | provider | suppliers | vendors
customer: customer | client | clients
!buy: buy | purchase | order | procure | acquire | procurement | bought | ordering | where to get
!pay: pay | paid | pays | payment | paying | settle | transfer money
card: card | credit card
tax: tax | vat | taxes
bank: bank | bank account | iban
!approve: approve | approval | sign off | sign-off | authorise | authorize | authorisation | authorization | okay | ok | green light | permission | consent | sign | signs | signature | signed | countersign | approver | go-ahead | go ahead | agree to | signatory | signing
!allowed: allowed | permitted | may | okay to | entitled | entitlement | eligible | permit | forbidden | prohibited | permissible
!apply: apply | request | application | put in for | ask for | submit a request
!submit: submit | hand in | send in | file | turn in | upload
form: form | template | sheet | questionnaire | paperwork | forms
!deadline: deadline | due date | due | cutoff | cut-off | at the latest | latest | closing date | by when | until when | until what | in time
!limit: limit | maximum | max | cap | ceiling | upper limit | at most | how far | how high
!minimum: minimum | min | at least
!responsible: responsible | in charge | charge of | owner | owns | looks after | looking after | take care | takes care | contact person | contact | maintainer | accountable | point of contact | handles | deal with | deals with | responsibility | turn to | whom to ask | get in touch
password: password | passphrase | pass word | pwd | passcode | pin
!reset: reset | forgot | forgotten | remember | recover | locked out | lock out | unlock
!login: login | log in | log into | sign in | sign into | log on | logon | signing in | logging in
account: account | user account | profile
access: access | access rights | get into | get in | enter | entry | log on to
vpn: vpn | tunnel
wifi: wifi | wi-fi | wireless | wlan | internet | online
laptop: laptop | notebook | computer | pc | macbook | machine
screen: screen | monitor | display
phone: phone | mobile | cellphone | smartphone | telephone | handset | mobile phone | cell phone
headset: headset | headphones | earphones
printer: printer | print | printing | copier
scan: scan | scanner
software: software | app | application | program | tool | programme
licence: licence | license | subscription | licences | licenses
!install: install | installation | set up | setup | set-up
!update: update | upgrade | new version | patch
backup: backup | back up | restore
mail: email | e-mail | mail | mailbox | inbox
list: mailing list | distribution list
security: security | secure | safety
virus: virus | malware | phishing | spam
!stolen: stolen | theft | thief
!broken: broken | not working | doesn work | does not work | defective | faulty | out of order | doesn t work | isn t working | stopped working | fails | failing | malfunction | damaged | damage | crash | crashes | crashed
!repair: repair | fix | fixed | mend | maintenance | repairs
!replace: replace | replacement | swap | exchange | substitute | spare | replaced | another one | backup one | refresh | spares | replacements
server: server | host | machine room
outage: outage | downtime | unavailable | down | incident | emergency
oncall: on call | on-call | standby | on duty | rota | pager | duty
deploy: deploy | deployment | release | roll out | rollout | ship | go live | launch | publish
bug: bug | defect | error | issue | problem | fault
code: source code | repository | repo | source
docs: documentation | docs | manual | guide | handbook | instructions | wiki
desk: desk | workplace | workstation | seat
chair: chair | stool
room: room | meeting room | conference room
!reserve: reserve | book | booking | reservation | reserved | booked
meeting: meeting | meetings | appointment | get-together | talk | chat | conversation
key: key | keys
badge: badge | id card | access card | pass | key card | keycard | fob | key fob | swipe card | token
building: building | office | premises | headquarters | hq | head office | site
floor: floor | storey | level
door: door | gate | entrance
!lock: locked | close up | lock up | padlock | padlocked
!open: open | opens | opened
kitchen: kitchen | kitchenette | pantry
coffee: coffee | espresso
lunch: lunch | canteen | cafeteria | meal | meals | food | catering | eat
fridge: fridge | refrigerator
parcel: parcel | package | delivery | post | shipment | packages
!clean: clean | cleaning | cleaner | cleaners | tidy
!trash: trash | rubbish | garbage | waste | bin | recycling | recycle | disposal | dispose | throw away | get rid | rid | old ones | used ones | skip
heating: heating | heater | radiator | temperature | cold | warm
aircon: air conditioning | aircon | ac | cooling
light: light | lights | lamp | lighting | bulb | lantern
plant: plant | plants | flowers
fire: fire | evacuation | evacuate | fire alarm | alarm
firstaid: first aid | injury | accident | hurt | injured
shower: shower | changing room
child: child | children | kid | kids | childcare | daycare | nursery
dog: dog | dogs | pet | pets
party: party | celebration | celebrate | get together | summer party | christmas party
gift: gift | gifts | present | presents
birthday: birthday | anniversary | jubilee
event: event | conference | fair | trade fair
team: team | department | group | unit | crew
!start: start | begin | starts | begins | commence | kick off
!end: end | finish | ends | over | expire | expires | expiry | run out | runs out | expired | invalid
!change: change | modify | alter | adjust | edit | switch | amend
!cancel: cancel | call off | cancellation | withdraw
!postpone: postpone | reschedule | move | shift | delay | put off
!carry: carry over | roll over | carried over | transfer | leftover | left over | remaining | unused | carry forward
!delete: delete | remove | erase | wipe | deletion | purge
!keep: keep | retain | retention | store | stored | archive | save | storage | kept | stowed
!create: create | make | new one | draft | produce
!share: share | sharing | pass on | forward
!borrow: borrow | lend | loan | rent | rental | lent
!return: return | give back | bring back | hand back | returned
!report: report | notify | inform | tell | let know | announce | reporting
complain: complain | complaint | complaints
!often: often | frequently | frequency | every how many | how regularly
near: near | nearby | close to | next to
example: example | sample
!address: address | location | located
list2: list | overview | register | directory | inventory
rule: rule | rules | policy | policies | guideline | guidelines | regulation | regulations
logo: logo | branding | brand
slide: slide | slides | presentation | deck | powerpoint
picture: picture | photo | image | photos | pictures
website: website | web site | homepage | site page
press: press | journalist | media | reporter
data: data | information | info
personal: personal data | gdpr | privacy | data protection
confidential: confidential | confidentiality | secret | nda | non-disclosure | secrecy
customerdata: customer data | client data
test: test | testing | trial | try out
database: database | db
signup: sign up | register for | enrol | enroll | registration
feedback: feedback | review | appraisal | evaluation
goal: goal | objective | target | okr | okrs
promotion: promotion | promoted | career
moving: moving house | relocation | relocate | moving
wedding: wedding | marry | marriage | getting married
funeral: funeral | bereavement | death
volunteer: volunteer | volunteering | charity | donate | donation
sport: gym | sport | sports
ticket: ticket | tickets
visa: visa | work permit | residence permit
lawyer: lawyer | legal | attorney | legal department
hr: hr | human resources | people team | personnel department
it: it department | it support | helpdesk team | service desk
finance: finance | accounting | accounts department | bookkeeping
probation: probation | probation period | trial period | probationary | first six months | first half year
!discount: discount | rebate | price reduction | knock off | reduce the price | cheaper | markdown
!advance: advance | up front | upfront | prepay | prepayment | in advance | beforehand
battery: battery | batteries | cell | cells | accumulator | power pack
cupboard: cupboard | locker | cabinet | drawer | shelf | closet
christmas: christmas | xmas | new year | end of the year | holidays season
!closed: closed | shutdown | shut | closing | close
businesscard: business card | business cards
stationery: stationery | office supplies | pens | supplies
projector: projector | beamer
courier: courier | messenger | shipping | ship
postage: postage | stamp | stamps | franking
workwear: work clothes | workwear | uniform | overalls | safety shoes | protective clothing | helmet
vaccination: vaccination | vaccine | flu shot | jab
glasses: glasses | spectacles | eye test
commute: commute | commuting | bus | public transport | season ticket | travel pass
fuel: fuel | petrol | diesel | refuel | fill up | filling up | gas station | pump
charging: charging station | charge point | electric car | wallbox
timesheet: timesheet | time sheet | clock in | time tracking | log hours | log my hours | time recording
shift: shift | shifts | roster
breaktime: lunch break | break time | pause
flexitime: flexitime | flexible hours | core hours | flextime
parttime: part time | part-time | reduced hours | fewer hours | four days | reduced week
sabbatical: sabbatical | unpaid leave
reference: reference letter | job reference | testimonial
payrollbank: bank details | account number
referral: referral | refer a friend | recommend somebody
camera: camera | cctv | webcam | cameras
spill: spill | leak | leakage | chemical
alone: alone | by myself | on my own | lone | solo | without a colleague
sparepart: spare part | spare parts | replacement part | replacement parts
warranty: warranty | guarantee
servicecontract: service contract | maintenance contract | maintenance agreement | service contracts | service agreement
quote: quote | quotation | offer | estimate
costcentre: cost centre | cost center | account code
customs: customs | import | export
inventory: inventory | stock | warehouse
brochure: brochure | flyer | leaflet
newsletter: newsletter | bulletin
socialmedia: social media | linkedin | twitter
translation: translation | translate | translator
minutes: minutes | meeting notes | protocol
calendar: calendar | schedule | scheduling | scheduled
video: video call | video conference | zoom | teams meeting
cable: cable | charger | adapter | dongle | power supply
mouse: mouse | keyboard
mfa: mfa | two factor | 2fa | authenticator | second factor
pipeline: pipeline | build | ci
monitoring: monitoring | dashboard | metrics
alert: alert | alerts | notification
sprint: sprint | iteration
roadmap: roadmap | planning
overnight: night | evening | after hours | out of hours | outside working hours | weekend | at night | saturday | sunday
!renew: renew | renewal | extend | extension | prolong | renewed | renewing
medical: medical | health check | check-up | fitness certificate | medical check
emergencynumber: emergency number | hotline
food: vegan | vegetarian | plant based | diet | allergy
number: phone number | number to call
sendto: send to | where to send | which address
!meaning: mean | meaning | stand for
!error: error | error code | error message | fault code
!count: how many days | number of days | how many
`;
