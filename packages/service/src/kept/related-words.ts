/**
 * Words that name the same, or what goes with it, where people work together: whoever writes a rule anew seldom has read how it
 * was asked for. Written as people write them; they are compared by their stems. Languages without any are compared by the
 * words themselves.
 */
import { stem } from "@threadlore/language/stems";

const GROUPS: Readonly<Record<string, string>> = {
  en: `
pay paid cost price fee spend spending expense expenses reimburse reimbursed reimbursement refund refunded claim budget allowance contribution money
hotel room rooms accommodation lodging overnight night
holiday holidays vacation vacations absence absences pto
laptop laptops computer computers notebook machine machines pc workstation device devices
phone phones mobile telephone handset smartphone cell
car cars vehicle vehicles van vans truck lorry fleet automobile
book books booked booking reserve reserved reservation request requested requests ordered applied application
approve approves approved approval sign signs signed signature authorise authorises authorize permission permit permitted grant granted consent decide decides decision agree agrees release
boss manager managers supervisor leader chief foreman
employee employees staff colleague colleagues workers personnel crew everyone everybody
contractor contractors freelancer freelancers external externals
deadline due submit submitted submission latest limit cutoff
keep kept store stored stow stowed located location hang hangs rack shelf locker lockers drawer drawers cupboard cabinet box
folder folders drive directory archive wiki document documents
parcel parcels package packages delivery deliveries courier couriers shipment shipments mail
doctor doctors physician medical certificate sick ill illness sickness unwell
send sends sent mail mailed shipped forward forwarded dispatch
report reports reported notify tell inform ticket tickets filed raise
open opens opening hours close closes closing shut shuts
canteen cafeteria lunch kitchen meal meals eat food dining dinner restaurant
swap swapped replace replaced replacement exchange exchanged renew renewed
trip trips travel travels travelling journey journeys abroad flight flights fly flies
guest guests visitor visitors
dog dogs pet pets animal animals
password passwords passphrase passcode pin code
meeting meetings appointment session gathering
responsible owner owns handles
salary payroll wage wages payslip
training course courses workshop lesson
repair repairs repaired fix fixes fixed mend maintain maintains maintenance
entrance door gate lobby
tool tools software programme app system platform
begin begins beginning commence
finish finishes
buy buys bought purchase purchases procure procurement
customer customers
supplier suppliers vendor vendors
contract contracts agreement agreements
screen screens monitor monitors display displays
printer printers print printing copier
privacy protection gdpr
forms sheets template
lawyer lawyers legal counsel attorney
people persons person crew aboard
private privately
retire retired
collected collection pick picked pickup fetch
deliver delivered
checks inspection inspected audit examine
lights lamp lamps lantern
bike bikes bicycle bicycles
train trains rail railway
invoice invoices bills receipt receipts
dock docked drydock shipyard slipway
alone single unaccompanied lone solo
remote remotely home homeoffice telework`,
  de: `
kosten kostet preis preise zahlen zahlt bezahlt gebühr zuschuss erstattet erstattung betrag geld euro dazu zuschießen
hotel zimmer übernachtung unterkunft
urlaub ferien freie abwesenheit abwesend frei
laptop rechner computer notebook gerät
handy telefon diensthandy smartphone mobiltelefon
auto wagen fahrzeug dienstwagen pkw
buchen gebucht reservieren beantragen beantragt antrag bestellen bestellt anfordern eingeben
genehmigen genehmigt genehmigung unterschreiben freigeben freigabe zustimmen zustimmung erlaubt erlaubnis
chef vorgesetzter teamleiter teamleitung abteilungsleiter leitung
frist abgabe abgeben einreichen eingereicht spätestens fällig
ablegen abgelegt aufbewahren aufbewahrt lagern liegt liegen steht stehen schrank fach regal
ordner laufwerk netzlaufwerk ablage akte verzeichnis dokumentensystem
paket pakete sendung lieferung kurier
arzt attest krankmeldung krank bescheinigung
essen mittagessen essenszuschuss kantine mittag verpflegung mahlzeit bistro
hund hunde haustier haustiere tier tiere vierbeiner
büro haus standort gebäude
zettel formular papier bogen
programm software werkzeug system portal
reparatur warten wartet wartung
anfang beginn beginnt startet
prüfung prüfprotokoll prüfprotokolle protokoll protokolle nachweis
homeoffice heimarbeit mobil`,
  es: `
coste cuesta precio pagar paga dinero euros gasto gastos dieta reembolso
vacaciones permiso ausencia descanso
ordenador portátil equipo
teléfono móvil
coche vehículo furgoneta garaje aparcamiento
reservar reserva pedir pide solicitar solicitud encargar
aprobar aprueba autorizar autoriza firmar firma permiso
guardar guarda guardan dejar deja está están cajón armario almacén caja
dar da entregar entrega entregan repartir
plazo fecha límite entregar
médico baja enfermo certificado
comer comida comedor almuerzo
hora horario abre abrir cierra cerrar`,
  fr: `
coût coûte prix payer payé tarif frais remboursé remboursement montant indemnité
congé congés vacances absence absences
ordinateur portable machine
téléphone mobile
voiture véhicule
réserver réservation demander demande commander commandées commande
approuver autoriser autorisation signer signe valider accord
rangés ranger rangé trouve armoire placard garder déposer déposé
délai date limite rendre remettre déposé déposer jusqu tard
note justificatif justificatifs facture tickets
médecin arrêt maladie certificat
repas cantine déjeuner manger
colis paquet courrier envoi`,
};

const compiled = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The groups a stemmed word stands in. */
function groupsIn(language: string | undefined): ReadonlyMap<string, readonly number[]> {
  const key = language ?? "";
  let known = compiled.get(key);
  if (known === undefined) {
    const made = new Map<string, number[]>();
    const lines = (GROUPS[key] ?? "").split("\n").filter((line) => line !== "");
    for (const [at, line] of lines.entries()) {
      for (const term of new Set(line.split(" ").map((word) => stem(word, language)))) {
        made.set(term, [...(made.get(term) ?? []), at]);
      }
    }
    compiled.set(key, (known = made));
  }
  return known;
}

/** Which groups some terms of a language stand in. */
export function groupsOf(terms: Iterable<string>, language: string | undefined): ReadonlySet<number> {
  const known = groupsIn(language);
  const found = new Set<number>();
  for (const term of terms) for (const group of known.get(term) ?? []) found.add(group);
  return found;
}
