import { draw, pages } from "../../src/options/draw.tsx";

draw(pages.WelcomeApp);
