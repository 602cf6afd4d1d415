// The entry `fixtura/cypress`: the command `cy.mock`, and a session of a running mock for each test.
export {
  addMockCommand,
  type MockCommand,
  type MockCommandOptions,
} from './faces/cypress/mock-command.ts'
