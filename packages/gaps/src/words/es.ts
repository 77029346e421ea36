/** Everyday words of offices that say the same, Spanish. */
export const ES = `
leave: vacaciones | días libres | permiso | día libre
sick: enfermo | enferma | enfermedad | baja | baja médica
doctor: médico
note: certificado | justificante
parental: permiso parental | maternidad | paternidad
salary: salario | sueldo | nómina | paga
bonus: bono | prima | bonus
contract: contrato
!notice: preaviso | renuncia | dimitir
training: formación | curso | capacitación
colleague: compañero | compañera | colega
boss: jefe | jefa | supervisor | responsable directo
employee: empleado | trabajador | personal
intern: becario | prácticas | aprendiz
guest: visitante | invitado | visita
remote: teletrabajo | a distancia | desde casa | remoto
abroad: extranjero
overtime: horas extra | horas extraordinarias
travel: viaje | viajar | viajes
flight: vuelo | avión
train: tren
hotel: hotel | alojamiento
car: coche | vehículo | auto
bike: bicicleta | bici
parking: aparcamiento | aparcar | plaza de garaje | estacionamiento
expense: gasto | gastos
!refund: reembolso | reembolsar | devolver | reembolsan | devolución
receipt: recibo | ticket | comprobante
allowance: dieta | dietas
!price: precio | coste | costo | cuesta | tarifa
budget: presupuesto
invoice: factura
supplier: proveedor
customer: cliente
!buy: comprar | compra | pedir | pedido | encargar
!approve: aprobar | aprueba | firmar | firma | autorizar | autoriza | visto bueno | autorización | aprobación
!allowed: permitido | puedo | prohibido | derecho
!apply: solicitar | solicitud
!submit: presentar | entregar | enviar
form: formulario | plantilla | impreso
!deadline: plazo | fecha límite | a más tardar
!limit: máximo | límite | tope
!responsible: responsable | encargado | encarga | ocupa | lleva | gestiona | contacto
password: contraseña | clave
!reset: restablecer | olvidado | perdido | recuperar
!login: iniciar sesión | entrar | acceder
account: cuenta
access: acceso | permisos
wifi: wifi | internet
laptop: portátil | ordenador | computadora
screen: pantalla | monitor
phone: teléfono | móvil
printer: impresora | imprimir
software: software | programa | aplicación | herramienta
licence: licencia | suscripción
!install: instalar | instalación
mail: correo | email
!broken: roto | averiado | no funciona | estropeado
!repair: reparar | reparación | arreglar
!replace: reemplazar | sustituir | cambiar
oncall: guardia
desk: escritorio | mesa | puesto
room: sala | sala de reuniones
!reserve: reservar | reserva
meeting: reunión | cita
key: llave | llaves
badge: tarjeta de acceso | acreditación | credencial
parcel: paquete | envío
!clean: limpieza | limpiar
!trash: basura | residuos | reciclaje
heating: calefacción
lunch: comida | comedor | almuerzo
coffee: café
child: hijo | niño | guardería
party: fiesta | celebración
gift: regalo
team: equipo | departamento
!start: empezar | empieza | inicio | comenzar
!end: fin | terminar | acabar | caduca | vence
!change: cambiar | modificar
!cancel: cancelar | anular
!delete: borrar | eliminar
!keep: conservar | guardar | archivar
!borrow: prestar | alquilar | préstamo
!return: devolver | entregar
!report: avisar | informar | comunicar | notificar
help: ayuda | soporte | asistencia
rule: norma | regla | política
data: datos
moving: mudanza
wedding: boda
funeral: fallecimiento | funeral
hr: recursos humanos
finance: contabilidad
probation: período de prueba | prueba
discount: descuento | rebaja
battery: batería | pila | baterías
cupboard: armario | taquilla | cajón
christmas: navidad | fin de año
businesscard: tarjeta de visita | tarjetas de visita
alone: solo | sola | sin compañero
parttime: media jornada | jornada reducida
!renew: renovar | renovación | prorrogar
!stolen: robado | robo
!error: error | código de error
`;
