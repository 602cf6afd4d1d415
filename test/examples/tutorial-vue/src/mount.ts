import { createApp } from 'vue'
import App from './App.vue'

/** Shows the application in an element; returns a function that removes it. */
export function mount(element: Element) {
  const app = createApp(App)
  app.mount(element)
  return () => app.unmount()
}
