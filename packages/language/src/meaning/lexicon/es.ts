import type { Lexicon } from "./types.ts";

/** Spanish. Accents are folded away, so that "que" and "como" ask only where nothing clearer does. */
export const es: Lexicon = {
  asks: {
    time: "cuando | desde cuando | hasta cuando | a que hora | que hora | en que ano | que ano | que dia | en que fecha | que fecha | que mes | en que siglo | que siglo | que decada | en que momento | para cuando | en que epoca | en que anos",
    duration:
      "cuanto tiempo | cuanto dura | cuanto duran | cuanto duro | cuantos anos/dias/meses/minutos/segundos | cuantas horas/semanas | con que frecuencia | cada cuanto | que edad | cuantas veces al/por | cuanto tarda | cuanto tardan | a que edad | cuanto tardo",
    number:
      "cuanto | cuanta | que tan | como de grande/alto/lejos | que porcentaje | que proporcion | hasta que punto | cual es la altura/longitud",
    money:
      "cuanto … cuesta/cuestan/costo/costaron/costaba/costar/dinero/pago/paga/pagar/gasto/gasta/gastar/gana/gano/vale/euros/dolares/cobra/valen | cuanto cuesta | cuanto vale | que precio | cuantos euros/dolares",
    person:
      "quien | quienes | a quien | a quienes | de quien | con quien | por quien | para quien | quien es | en quien",
    place:
      "donde | adonde | a donde | de donde | en donde | por donde | en que lugar | desde donde | en que sitio | hasta donde | en que parte del/de",
    reason:
      "por que | para que | por que motivo | por que razon | a que se debe | cual es la razon | con que fin | a causa de que",
    manner: "como | de que manera | de que modo | de que forma | por que medio | mediante que",
    definition:
      "que significa | que significan | que significaba | que quiere decir | que se entiende | que es un/una/el/la/lo | que son los/las | significado de | definicion de | que representa | que … significa",
    thing:
      "como que | como se refiere/referia | como se define/abrevia | que es lo que | como se llama/llamo/llamaba/llaman/llamaban/llamaron/denomina/denominan/conoce/titula | que nombre | cual es el nombre | cual era el nombre | como se le llama | como se les llama/llamaba | como … llamado/conocido/conocida",
    choice: "acaso",
  },
  count: "cuantos | cuantas",
  which: "que | cual | cuales",
  nouns: {
    number:
      "numero | porcentaje | proporcion | cantidad | tamano | altura | peso | anchura | profundidad | distancia | velocidad | temperatura | limite | tope | maximo | minimo | " +
      "cuota | tasa | superficie | capacidad | poblacion | puntuacion | valor | cifra | longitud | umbral",
    money:
      "precio | precios | coste | costo | costes | costos | tarifa | salario | sueldo | presupuesto | alquiler | importe | suma | multa | ingresos | dinero | reembolso | bonificacion",
    duration: "edad | duracion | plazo de conservacion | preaviso | periodo de prueba | antelacion | vida util",
    time: "ano | anos | dia | dias | fecha | fechas | mes | siglo | decada | hora | horas | plazo | fecha limite | momento | epoca | periodo | horario | estacion | cumpleanos | semana",
    person:
      "persona | personas | hombre | hombres | mujer | rey | reina | emperador | presidente | presidenta | jefe | jefa | responsable | director | directora | gerente | jugador | jugadora | actor | actriz | " +
      "autor | autora | escritor | poeta | cientifico | ministro | fundador | inventor | artista | compositor | cantante | general | empleado | obispo | papa | filosofo | historiador | " +
      "fisico | matematico | ingeniero | arquitecto | principe | lider | gobernador | alcalde | astronauta | explorador | padre | madre | hijo | hija | hermano | hermana | sucesor | " +
      "predecesor | entrenador | individuo | gobernante | quimico | economista | kan | mariscal de campo | individuos | astronautas | cientificos | cientifica | investigador | investigadora | secretario | estrella de cine | teologo",
    place:
      "ciudad | ciudades | pais | paises | estado | estados | pueblo | lugar | lugares | sitio | continente | region | provincia | rio | lago | isla | montana | capital | calle | estadio | sede | " +
      "barrio | condado | distrito | sala | edificio | aeropuerto | estacion | direccion | mar | oceano | desierto | ubicacion | nacion | localidad | municipio | zona",
    reason: "razon | razones | causa | causas | motivo | motivos | proposito | finalidad | objetivo | objetivos",
    manner: "manera | modo | forma | metodo | medio | procedimiento | pasos",
    definition: "significado | definicion",
  },
  links: "nombre | nombres | tipo | tipos | clase | clases | parte | grupo | titulo | termino | apodo",
  skips:
    "es son era eran fue fueron ha sido el la los las lo un una unos unas de del su sus mi mis nuestro nuestra este esta estos estas otro otra otros otras principal primer primera " +
    "primeros ultimo ultima dos tres cuatro importante",
  stops:
    "en a al por para con sin sobre entre desde hasta y o u pero que quien donde cuando se le les lo no ha han habia hay puede pueden debe deben tiene tienen es son era eran fue fueron durante antes despues segun",
  choice:
    "^es/son/era/eran/fue/fueron/esta/estan/hay/puedo/puede/pueden/podemos/debo/debe/deben/tengo/tiene/tienen/tenemos/se/ha/han/he/existe/existen/necesito/necesita/hace/cubre/" +
    "incluye/acepta/aceptan/ofrece/paga/funciona/habia/tenia/esta | ^se puede/pueden/permite/permiten/debe/necesita",
  units: {
    second: "segundo | segundos",
    minute: "minuto | minutos | min",
    hour: "hora | horas",
    day: "dia | dias | noches | noche",
    workday: "dia habil | dias habiles | dias laborables | dia laborable | dias laborales",
    week: "semana | semanas",
    month: "mes | meses",
    quarter: "trimestres",
    year: "ano | anos",
    decade: "decada | decadas",
    century: "siglos | siglo",
    percent: "por ciento | porciento | puntos porcentuales",
    EUR: "euro | euros",
    USD: "dolar | dolares | dolares estadounidenses",
    GBP: "libra esterlina | libras esterlinas",
    JPY: "yen | yenes",
    cent: "centimo | centimos | centavos",
    people:
      "persona | personas | habitantes | hombres | mujeres | empleados | empleadas | miembros | estudiantes | visitantes | participantes | gente | alumnos",
    times: "vez | veces",
    byte: "byte | bytes",
    kilobyte: "kilobyte | kilobytes",
    megabyte: "megabyte | megabytes",
    gigabyte: "gigabyte | gigabytes",
    terabyte: "terabyte | terabytes",
    metre: "metro | metros",
    centimetre: "centimetro | centimetros",
    millimetre: "milimetro | milimetros",
    kilometre: "kilometro | kilometros",
    mile: "milla | millas",
    foot: "pie | pies",
    inch: "pulgada | pulgadas",
    yard: "yarda | yardas",
    gram: "gramo | gramos",
    kilogram: "kilogramo | kilogramos | kilo | kilos",
    tonne: "tonelada | toneladas",
    pound: "libra | libras",
    litre: "litro | litros",
    degree: "grado | grados",
  },
  numbers:
    "cero:0 un:1? una:1? uno:1? dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 once:11 doce:12 trece:13 catorce:14 quince:15 dieciseis:16 diecisiete:17 dieciocho:18 diecinueve:19 " +
    "veinte:20 veintiun:21 veintiuno:21 veintiuna:21 veintidos:22 veintitres:23 veinticuatro:24 veinticinco:25 veintiseis:26 veintisiete:27 veintiocho:28 veintinueve:29 " +
    "treinta:30 cuarenta:40 cincuenta:50 sesenta:60 setenta:70 ochenta:80 noventa:90 cien:100 ciento:100 cientos:100 doscientos:200 doscientas:200 trescientos:300 trescientas:300 " +
    "cuatrocientos:400 cuatrocientas:400 quinientos:500 quinientas:500 seiscientos:600 seiscientas:600 setecientos:700 setecientas:700 ochocientos:800 ochocientas:800 novecientos:900 " +
    "novecientas:900 mil:1000 miles:1000 millon:1000000 millones:1000000 billon:1000000000000 docena:12 docenas:12 decena:10 decenas:10 centenar:100 centenares:100 medio:0.5 media:0.5 mitad:0.5 tercio:0.3333",
  ordinals:
    "primer:1 primero:1 primera:1 primeros:1 primeras:1 segundo:2 segunda:2 tercer:3 tercero:3 tercera:3 cuarto:4 cuarta:4 quinto:5 quinta:5 sexto:6 sexta:6 septimo:7 septima:7 octavo:8 octava:8 noveno:9 novena:9 decimo:10 decima:10",
  about: "unos | unas | cerca de | alrededor de | aproximadamente | casi | mas de | mas o menos | hasta | en torno a",
  because:
    "porque | ya que | debido | a causa | gracias a | puesto que | por eso | por lo tanto | con el fin | para que | a fin de | razon | razones | causa | causo | provoca | provoco | permite | permitio | evitar | impide | por lo que | dado que",
  mayBecause: "para | pues | por | como | al",
  by: "mediante | a traves | por medio | con | por | usando | utilizando | haga clic | seleccione | abra | elija | envie | utilice | rellene | pulse | vaya",
  when:
    "ayer | hoy | manana | ahora | actualmente | antes | despues | durante | hasta | desde | cuando | siempre | nunca | diario | diariamente | semanal | mensual | anual | cada | " +
    "temprano | tarde | noche | mediodia | medianoche | inmediatamente | pronto | principios | finales | mediados | todos los",
  no: "no | nunca | jamas | nadie | nada | ningun | ninguno | ninguna | sin | ni | tampoco | prohibido | prohibida | prohibidos | prohibidas | prohibe",
  rules: {
    forbidden:
      "no se permite/permiten/puede/pueden/debe/deben | no puede/pueden/debe/deben/podra/podran | no esta/estan permitido/permitida/permitidos/permitidas/autorizado/autorizados | prohibido | prohibida | prohibidos | prohibidas | prohibe | nunca",
    optional:
      "no es necesario/obligatorio | opcional | voluntario | voluntaria | no hace falta | no tiene/tienen que | no se requiere | no es obligatoria | no son obligatorios",
    required:
      "debe | deben | debera | deberan | obligatorio | obligatoria | hay que | tiene/tienen que | necesario | necesaria | requiere | requieren | obligado | es preciso",
    allowed:
      "puede | pueden | podra | podran | permitido | permitida | permite | se permite | autorizado | posible | derecho",
  },
};
