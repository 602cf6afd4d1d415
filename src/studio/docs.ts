import { addressOf } from './control.ts'
import { remembered } from './parts/remember.ts'

/** The global function of `swagger-ui-bundle.js` with which this script shows the API reference at `/__mock/docs`. */
declare const SwaggerUIBundle: (options: {
  url: string
  dom_id: string
  deepLinking: boolean
  displayRequestDuration: boolean
  tryItOutEnabled: boolean
  validatorUrl: null
}) => unknown

const theme = remembered<string>('theme', 'system')
const isDark =
  theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.classList.toggle('dark-mode', isDark)

// Links cannot have a header, so that the token of a server beyond localhost has to be in their URLs.
for (const link of document.querySelectorAll('a')) link.search = location.search

// Without the package there is only the page with the command that installs it.
if (document.querySelector('#reference')) {
  // Swagger UI sends the document to a validator on the internet, unless `validatorUrl` is null.
  SwaggerUIBundle({
    url: addressOf('openapi.json'),
    dom_id: '#reference',
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  })
}
