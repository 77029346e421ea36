import type { Words } from "./words.ts";

export const FR: Words = {
  language: "fr",
  signIn: "Se connecter",
  signInWith: (company) => `Se connecter avec ${company}`,
  userName: "Nom d’utilisateur",
  password: "Mot de passe",
  wrong: "Le nom d’utilisateur ou le mot de passe est faux.",
  tooMany: (minutes) =>
    `Trop d’essais. Réessayez dans ${minutes === 1 ? "une minute" : `${minutes} minutes`} ; le compte reste tel qu’il est.`,
  busy: "Beaucoup de personnes se connectent en ce moment. Réessayez.",
  device: "Connecter un programme",
  typeCode: "Saisissez le code que le programme affiche.",
  code: "Code",
  goOn: "Continuer",
  unknownCode:
    "Ce code est faux, trop ancien ou a déjà reçu une réponse. Regardez le programme, ou recommencez-y depuis le début.",
  somethingAsks:
    "Un programme demande une clé de votre compte. Voici ce qu’il dit de lui-même, dans ses propres mots :",
  callsItself: "Il s’appelle",
  saysItIsFor: "Il dit que la clé est pour",
  codeThere: "Le code qu’il doit afficher maintenant",
  onlyIfYou:
    "N’acceptez que si vous venez de commencer ceci vous-même et si le programme affiche exactement ce code. Si quelqu’un vous a envoyé un lien ou un code, refusez.",
  whatItMay:
    "Avec la clé, il peut poser des questions en votre nom et voir ce que vous pouvez voir, jusqu’à ce que vous la supprimiez sur la page de votre compte.",
  agree: "Accepter",
  refuse: "Refuser",
  agreed: "Le programme reçoit une clé de votre compte. Vous pouvez fermer cette page.",
  refused: "Refusé. Le programme ne reçoit rien.",
  forSomebodyElse: (signedInAs) =>
    `Ceci a été commencé pour le compte de quelqu’un d’autre ; vous êtes connecté en tant que ${signedInAs}. Si c’est le vôtre, déconnectez-vous et connectez-vous avec le bon compte. Sinon, fermez cette page.`,
  noAddress:
    "Ceci a été commencé pour une adresse e-mail précise, et aucune adresse vérifiée n’est connue pour votre compte. On ne sait donc pas si c’est pour vous. Prévenez votre administrateur et fermez cette page.",
  extension: "Connecter une extension de navigateur",
  extensionAsks:
    "Une extension de navigateur demande une clé de votre compte. Voici ce qu’elle dit d’elle-même, dans ses propres mots :",
  extensionId: "Le navigateur la distingue des autres comme",
  onlyIfYouPressed:
    "N’acceptez que si vous venez d’appuyer sur « Se connecter » dans votre extension. Si un lien, un message ou une page web vous a amené ici, refusez.",
  anotherAccount: "Utiliser un autre compte",
  extensionNotWhole:
    "Ce n’est pas une demande complète d’une extension de navigateur : rien n’a été fait. Fermez cette page et appuyez de nouveau sur « Se connecter » dans l’extension.",
  account: "Votre compte",
  signedInAs: "Connecté en tant que",
  signOut: "Se déconnecter",
  rights: "Ce que vous pouvez voir",
  role: { ordinary: "peut demander", editor: "peut demander et ajouter des documents", admin: "peut administrer" },
  seesAll: "Tous les documents",
  seesNothing: "Aucun document pour l’instant. Un administrateur attribue des collections à vos groupes.",
  keys: "Clés de votre compte",
  noKeys: "Aucun programme n’a de clé de votre compte.",
  keyDates: (made, used, ends) =>
    `Créée le ${made}, ${used === undefined ? "pas encore utilisée" : `utilisée le ${used}`}, expire le ${ends} ou après 90 jours sans utilisation`,
  endKey: "Supprimer cette clé",
  keyEnded: "La clé est supprimée.",
  changePassword: "Changer le mot de passe",
  currentPassword: "Mot de passe actuel",
  newPassword: "Nouveau mot de passe",
  passwordRule: (least) => `Au moins ${least} caractères. Tous les navigateurs sont déconnectés ; les clés restent.`,
  wrongCurrent: "Le mot de passe actuel est faux.",
  weak: (least) =>
    `Le nouveau mot de passe doit avoir au moins ${least} caractères, au plus 256, et être plus que votre nom.`,
  passwordChanged: "Le mot de passe est changé. Connectez-vous avec le nouveau.",
  companyFailed: {
    unreachable: "La connexion de votre entreprise ne répond pas pour le moment. Réessayez dans une minute.",
    misconfigured:
      "La connexion avec votre entreprise n’est pas encore bien configurée. Prévenez l’administration : le journal du service dit pourquoi.",
    declined:
      "La connexion de votre entreprise ne vous a pas laissé entrer. Demandez à l’administration si cela vous surprend.",
    stale:
      "Cette connexion a pris trop de temps, a déjà servi, ou a été commencée dans un autre navigateur. Recommencez.",
    untrusted:
      "Ce que dit la connexion de votre entreprise n’a pas pu être vérifié ; personne n’a donc été connecté. Recommencez, et prévenez l’administration si cela continue.",
    groups:
      "La connexion de votre entreprise ne dit pas de quels groupes vous faites partie ; personne n’a donc été connecté. Prévenez l’administration : le journal du service dit pourquoi.",
    outsider:
      "Ce compte ne permet pas de se connecter ici. Prenez celui de votre entreprise, ou demandez à l’administration.",
    disabled: "Votre compte a été fermé ici. Demandez à l’administration.",
  },
  notDone: "Cela n’a pas été fait",
  notUnderstood: "Ce qui a été envoyé est incompréhensible. Revenez en arrière et réessayez.",
  notFromHere: (address) =>
    `Ceci n’a pas été envoyé depuis une page de ce service. Ouvrez ${address} dans votre navigateur et continuez à partir de là.`,
  later: "Le service ne peut pas le faire pour le moment. Réessayez plus tard.",
  toAccount: "Vers votre compte",
};
