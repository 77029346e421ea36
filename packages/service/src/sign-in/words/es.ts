import type { Words } from "./words.ts";

export const ES: Words = {
  language: "es",
  signIn: "Iniciar sesión",
  signInWith: (company) => `Iniciar sesión con ${company}`,
  userName: "Nombre de usuario",
  password: "Contraseña",
  wrong: "El nombre de usuario o la contraseña no es correcto.",
  tooMany: (minutes) =>
    `Demasiados intentos. Vuelva a probar en ${minutes === 1 ? "un minuto" : `${minutes} minutos`}; la cuenta sigue como está.`,
  busy: "Muchas personas inician sesión en este momento. Vuelva a probar.",
  device: "Conectar un programa",
  typeCode: "Escriba el código que muestra el programa.",
  code: "Código",
  goOn: "Continuar",
  unknownCode:
    "Este código no es correcto, es demasiado antiguo o ya se respondió. Mire el programa o empiece allí de nuevo.",
  somethingAsks: "Un programa pide una clave de su cuenta. Lo que dice de sí mismo son sus propias palabras:",
  callsItself: "Se llama a sí mismo",
  saysItIsFor: "Dice que la clave es para",
  codeThere: "El código que debe mostrar ahora",
  onlyIfYou:
    "Acepte solo si usted mismo acaba de empezar esto y el programa muestra exactamente este código. Si alguien le envió un enlace o un código, rechácelo.",
  whatItMay:
    "Con la clave puede preguntar en su nombre y ver lo que usted puede ver, hasta que la elimine en la página de su cuenta.",
  agree: "Aceptar",
  refuse: "Rechazar",
  agreed: "El programa recibe una clave de su cuenta. Puede cerrar esta página.",
  refused: "Rechazado. El programa no recibe nada.",
  forSomebodyElse: (signedInAs) =>
    `Esto se empezó para la cuenta de otra persona; usted ha iniciado sesión como ${signedInAs}. Si es la suya, cierre la sesión e iníciela con la cuenta correcta. Si no, cierre esta página.`,
  noAddress:
    "Esto se empezó para una dirección de correo determinada, y de su cuenta no se conoce ninguna comprobada. Por eso no se sabe si es para usted. Avise a su administrador y cierre esta página.",
  extension: "Conectar una extensión del navegador",
  extensionAsks:
    "Una extensión del navegador pide una clave de su cuenta. Lo que dice de sí misma son sus propias palabras:",
  extensionId: "El navegador la distingue de otras como",
  onlyIfYouPressed:
    "Acepte solo si acaba de pulsar «Iniciar sesión» en su extensión. Si un enlace, un mensaje o una página web lo trajo aquí, rechace.",
  anotherAccount: "Usar otra cuenta",
  extensionNotWhole:
    "Esta no es una petición completa de una extensión del navegador, así que no se hizo nada. Cierre esta página y vuelva a pulsar «Iniciar sesión» en la extensión.",
  account: "Su cuenta",
  signedInAs: "Sesión iniciada como",
  signOut: "Cerrar sesión",
  rights: "Lo que puede ver",
  role: { ordinary: "puede preguntar", editor: "puede preguntar y añadir documentos", admin: "puede administrar" },
  seesAll: "Todos los documentos",
  seesNothing: "Todavía ningún documento. Un administrador asigna conjuntos de documentos a sus grupos.",
  keys: "Claves de su cuenta",
  noKeys: "Ningún programa tiene una clave de su cuenta.",
  keyDates: (made, used, ends) =>
    `Creada el ${made}, ${used === undefined ? "aún sin usar" : `usada el ${used}`}, termina el ${ends} o tras 90 días sin uso`,
  endKey: "Eliminar esta clave",
  keyEnded: "La clave se ha eliminado.",
  changePassword: "Cambiar la contraseña",
  currentPassword: "Contraseña actual",
  newPassword: "Contraseña nueva",
  passwordRule: (least) =>
    `Al menos ${least} caracteres. Se cierra la sesión en todos los navegadores; las claves quedan.`,
  wrongCurrent: "La contraseña actual no es correcta.",
  weak: (least) =>
    `La contraseña nueva debe tener al menos ${least} caracteres, como mucho 256, y ser más que su nombre.`,
  passwordChanged: "La contraseña se ha cambiado. Inicie sesión con ella.",
  companyFailed: {
    unreachable: "El inicio de sesión de su empresa no responde en este momento. Pruebe de nuevo en un minuto.",
    misconfigured:
      "El inicio de sesión con su empresa aún no está bien configurado. Avise a la administración: el registro del servicio dice por qué.",
    declined: "El inicio de sesión de su empresa no le ha dejado entrar. Pregunte a la administración si le sorprende.",
    stale:
      "Este inicio de sesión ha tardado demasiado, ya se ha usado o se empezó en otro navegador. Empiece de nuevo.",
    untrusted:
      "No se ha podido comprobar lo que dice el inicio de sesión de su empresa; por eso nadie ha iniciado sesión. Empiece de nuevo y avise a la administración si sigue igual.",
    groups:
      "El inicio de sesión de su empresa no dice a qué grupos pertenece; por eso nadie ha iniciado sesión. Avise a la administración: el registro del servicio dice por qué.",
    outsider: "Con esta cuenta no se puede iniciar sesión aquí. Use la de su empresa o pregunte a la administración.",
    disabled: "Su cuenta se ha cerrado aquí. Pregunte a la administración.",
  },
  notDone: "No se ha hecho",
  notUnderstood: "No se entiende lo que se envió. Vuelva atrás y pruebe otra vez.",
  notFromHere: (address) =>
    `Esto no se envió desde una página de este servicio. Abra ${address} en su navegador y continúe desde allí.`,
  later: "El servicio no puede hacerlo en este momento. Vuelva a probar más tarde.",
  toAccount: "A su cuenta",
};
