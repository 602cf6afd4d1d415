// The entry `fixtura/playwright`: a session or a fork of a mock for the pages of each test.
export {
  mockRoute,
  type MockRouteOptions,
  type PlaywrightRequest,
  type PlaywrightRoute,
  type Routable,
} from './faces/playwright/mock-route.ts'
export {
  mockTest,
  type MockTestFixtures,
  type MockTestOptions,
} from './faces/playwright/mock-test.ts'
