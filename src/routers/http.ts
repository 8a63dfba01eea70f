// What of the room only the HTTP service loads.
export { ROUTER_SHOWN, routerSchemas } from './router.schemas.js';
export { RoutersHttpModule } from './routers-http.module.js';
