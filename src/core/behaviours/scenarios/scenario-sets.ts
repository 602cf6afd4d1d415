import { checkOptions, isListOf, isObject, wrong } from '../../errors/check.ts'
import { suggest } from '../../errors/nearest.ts'
import { MockError } from '../../errors/mock-error.ts'
import { copyFixture } from '../../fixtures/fixtures.ts'
import { type Json, ownValue } from '../../json/json.ts'
import type { Store } from '../../store/store.ts'
import { type FaultRule, parseRule, type ParsedRule } from '../faults/fault-rules.ts'

/** While a scenario is active, `fixtures` replaces the data of some resources, and `faults` apply to requests. */
export interface Scenario {
  /** The data of the resources that differ. */
  fixtures?: Record<string, Json>
  /** The faults that are active with the scenario. */
  faults?: readonly FaultRule[]
}

/** The subject of messages about a wrong option. */
export const scenarioSubject: string = 'the options of "scenarios"'

/** Merges the scenarios of `_scenarios` into those of the options, which take precedence. */
export function mergeSets(
  own: Readonly<Record<string, Scenario>>,
  more: Readonly<Record<string, Scenario>>,
): Record<string, Scenario> {
  const merged = { ...own }
  for (const [name, scenario] of Object.entries(more)) {
    const given = ownValue(own, name)
    merged[name] = { ...scenario, ...given, fixtures: { ...scenario.fixtures, ...given?.fixtures } }
  }
  return merged
}

/** Checks the scenarios. @throws MockError if there are none, or if the one at the start is missing */
export function checkStart(
  start: string | undefined,
  sets: Readonly<Record<string, Scenario>>,
): void {
  const names = Object.keys(sets)
  if (names.length > 0 && (start === undefined || Object.hasOwn(sets, start))) return
  const reason =
    names.length === 0
      ? 'there are no scenarios. Please give "sets", or add a folder "_scenarios".'
      : `"active" cannot be "${start}". ${suggest(start ?? '', names)}`
  throw wrong(scenarioSubject, reason)
}

/** Parses the faults of a scenario. @throws MockError when a fault is wrong */
export function toScenarioRules(name: string, scenario: Scenario): ParsedRule[] {
  checkOptions(`the scenario "${name}"`, scenario, {
    fixtures: isObject,
    faults: isListOf(isObject),
  })
  return (scenario.faults ?? []).map(parseRule)
}

/** Copies the data of a scenario, so that the mock never changes objects of the caller. */
export function copyScenario({ fixtures = {}, ...rest }: Scenario): Scenario {
  const copies = Object.entries(fixtures).map(([name, value]) => [name, copyFixture(value, name)])
  return { ...rest, fixtures: Object.fromEntries(copies) as Record<string, Json> }
}

/** Checks the data of a scenario. @throws MockError when the data of a resource is invalid */
export function checkScenario({ fixtures = {} }: Scenario, store: Store): void {
  for (const [name, fixture] of Object.entries(fixtures)) {
    const value = store.load(name, fixture)
    if (value !== undefined) store.make(name, value)
  }
}

/** Creates the error for a name that no scenario has. */
export function unknownScenario(name: string, sets: Readonly<Record<string, Scenario>>): MockError {
  return new MockError(
    `Failed to find the scenario "${name}". ${suggest(name, Object.keys(sets))}`,
    { status: 400, code: 'SCENARIO_UNKNOWN' },
  )
}
