export {
  addMockCommand,
  type MockCommand,
  type MockCommandOptions,
} from './faces/cypress/mock-command.ts'
