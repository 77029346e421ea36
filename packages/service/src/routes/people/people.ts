import type { ServiceContext } from "../../context.ts";
import type { Route } from "../../http/route.ts";
import { accountPages } from "./account-page.ts";
import { companyRoutes } from "./company-routes.ts";
import { deviceRoutes } from "./device.ts";
import { devicePages } from "./device-page.ts";
import { extensionPages } from "./extension-page.ts";
import { ownKeyRoutes } from "./own-keys.ts";
import { signInPages } from "./sign-in-page.ts";

/** What people who sign in need of the service: pages for them, and ways to a key for their programs. */
export function peopleRoutes(context: ServiceContext): readonly Route[] {
  return [signInPages, companyRoutes, devicePages, extensionPages, accountPages, deviceRoutes, ownKeyRoutes].flatMap(
    (area) => area(context),
  );
}
