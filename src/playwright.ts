export {
  mockRoute,
  type MockRouteOptions,
  type PlaywrightRequest,
  type PlaywrightRoute,
  type Routable,
} from './faces/playwright/mock-route.ts'
