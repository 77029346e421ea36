/** Everyday words of offices that say the same, French. */
export const FR = `
leave: congé | congés | vacances | jours de repos | rtt
sick: malade | maladie | arrêt maladie
doctor: médecin | docteur
note: certificat | justificatif | attestation
parental: congé parental | congé maternité | congé paternité
salary: salaire | paie | paye | rémunération | fiche de paie
bonus: prime | bonus
contract: contrat
!notice: préavis | démission | démissionner
training: formation | cours | stage de formation
colleague: collègue
boss: chef | manager | supérieur | responsable hiérarchique | patron
employee: employé | salarié | personnel
intern: stagiaire | apprenti | stage | alternant
guest: visiteur | invité
remote: télétravail | à distance | de chez moi | à domicile
abroad: étranger
overtime: heures supplémentaires | heures sup
travel: voyage | déplacement | voyager
flight: avion | vol
train: train
hotel: hôtel | hébergement | logement
car: voiture | véhicule
bike: vélo
parking: parking | stationnement | garer | place de parking
expense: frais | dépense | dépenses | note de frais
!refund: remboursement | rembourser | remboursé | remboursés
receipt: reçu | ticket de caisse | facturette
allowance: indemnité | forfait
!price: prix | coût | tarif | coûte
budget: budget
invoice: facture
supplier: fournisseur | prestataire
customer: client
!buy: acheter | achat | commander | commande
!approve: approuver | valider | validation | signer | signe | signature | autoriser | accord | autorisation | approbation | valide
!allowed: permis | autorisé | droit | interdit | puis
!apply: demander | demande | solliciter
!submit: soumettre | déposer | envoyer | remettre
form: formulaire | modèle | document type
!deadline: date limite | délai | échéance | au plus tard
!limit: maximum | plafond | limite
!responsible: responsable | chargé | occupe | gère | en charge | contact | contacter
password: mot de passe | code
!reset: réinitialiser | oublié | perdu
!login: connexion | connecter | identifier
account: compte
access: accès | droits
wifi: wifi | internet
laptop: ordinateur | portable | pc
screen: écran | moniteur
phone: téléphone | mobile
printer: imprimante | imprimer
software: logiciel | application | outil
licence: licence | abonnement
!install: installer | installation
mail: mail | courriel | email | messagerie
!broken: cassé | en panne | ne marche pas | ne fonctionne pas | défectueux
!repair: réparer | réparation | dépanner
!replace: remplacer | remplacement | changer
oncall: astreinte | garde
desk: bureau | poste de travail
room: salle | salle de réunion
!reserve: réserver | réservation
meeting: réunion | rendez-vous
key: clé | clef | clés
badge: badge | carte d accès
parcel: colis | paquet | livraison
!clean: nettoyage | ménage | nettoyer
!trash: déchets | poubelle | jeter
heating: chauffage
lunch: déjeuner | cantine | repas
coffee: café
child: enfant | crèche
party: fête | soirée
gift: cadeau
team: équipe | service | département
!start: début | commencer | commence
!end: fin | expire | expirer | finir
!change: modifier | changer
!cancel: annuler | annulation
!carry: reporter | report
!delete: supprimer | effacer
!keep: conserver | conservation | archiver | garder
!borrow: emprunter | louer | prêt
!return: rendre | restituer | retour
!report: signaler | déclarer | prévenir
help: aide | assistance | support
rule: règle | règlement | politique
data: données
moving: déménagement | déménager
wedding: mariage
funeral: décès | obsèques
hr: ressources humaines | rh
finance: comptabilité
probation: période d essai | essai
discount: remise | rabais | réduction
battery: batterie | pile | piles
cupboard: armoire | placard | casier | tiroir
christmas: noël | fin d année
businesscard: carte de visite | cartes de visite
alone: seul | seule
parttime: temps partiel
meal: repas | dîner | resto | restaurant
!renew: renouveler | prolonger | renouvellement
!stolen: volé | vol de
!error: erreur | code d erreur
mission: mission | déplacement | en mission
overnight: nuit | nuitée | dormir | chambre
`;
