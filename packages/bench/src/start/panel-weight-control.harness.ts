import { h, render } from "preact";

const place = document.querySelector("#app");
if (place !== null) render(h("main", null, "Ready."), place);
