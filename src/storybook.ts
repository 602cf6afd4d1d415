// The entry `fixtura/storybook`: a fork of a mock for each story, and the studio as a panel.
export {
  mockStories,
  type MockParameters,
  type MockStories,
  type StoryOptions,
} from './faces/storybook/mock-stories.ts'
