import { readPackage } from '../package-facts.ts'

/** The messages that "It does not work" of the documentation explains, by the anchor of their place on that page. */
const messages: Readonly<Record<string, RegExp>> = {
  'no-fixtures': /Failed to (?:read|load) .*(?:no such file or folder|holds no fixtures)/,
  'port-in-use': /the port is in use/,
  'broken-file': /Failed to load ".*": (?:expected |the file is empty)/,
  'id-twice': /is used twice, first at/,
  'two-sources': /comes from two sources/,
  database: /probably a json-server database/,
  configuration: /Failed to (?:read the configuration|use "|find the dialect)/,
  'missing-package': /the package ".*" is not installed/,
  lock: /persists it already/,
  'unknown-resource': /Failed to find ".*": there is no such resource/,
  'not-acceptable': /Failed to answer as "/,
  'sent-as-form': /it is JSON, but sent as a form/,
  body: /Failed to read the body: it is (?:not JSON|empty)/,
  'unsupported-type': /Failed to read the body: ".*" is not supported/,
  method: /has no such method/,
  conflict: /there is a record with this id/,
  'id-changes': /its id cannot become/,
  'invalid-record': /Failed to write to "/,
  precondition: /a precondition of the request does not hold|no write without a precondition/,
  cors: /Failed to accept the request: a page of/,
  host: /Failed to accept the request: the host/,
  control: /Failed to control the mock: (?:pages of other origins|.* token printed at the start)/,
  unauthorized: /Failed to (?:authenticate|log in):/,
  forbidden: /it (?:requires the role|belongs to another user)/,
  'the-filter-has-no-effect': /\bignored "|Failed to (?:embed|read "_)/,
  dangling: /but ".*" has no such record\. Please add the record/,
  'another-process-cannot-reach-the-mock': /Failed to (?:reach|control) the mock at "/,
  'the-mock-is-slow-or-fails-now-and-then': /the limit of \d+ requests in/,
}

/** All anchors that the command leads to. */
export const helpAnchors: readonly string[] = Object.keys(messages)

/** The addresses in the documentation that explain the messages in a text. */
export function placesOf(text: string): string[] {
  const anchors = helpAnchors.filter((anchor) => messages[anchor]?.test(text))
  return anchors.map((anchor) => `${readPackage().homepage}/it-does-not-work#${anchor}`)
}
