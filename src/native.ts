// The entry `fixtura/native`: a mock that answers the requests of a React Native application.
export {
  type AsyncStorage,
  type Started,
  startMock,
  type StartOptions,
} from './faces/native/start-mock.ts'
