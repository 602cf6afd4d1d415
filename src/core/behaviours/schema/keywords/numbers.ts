import type { Check } from '../../../errors/check.ts'
import { comparing, isAtLeast, isAtMost, type Keywords, keywordFor } from './keyword.ts'

const forNumbers = keywordFor<number>('number')

const isNumber: Check = [(value) => typeof value === 'number', 'a number']
const isStep: Check = [(value) => typeof value === 'number' && value > 0, 'a number above 0']

const itself = (value: number): number => value

/**
 * Defines the keywords that constrain numbers, such as `minimum` and `multipleOf` (JSON Schema Validation
 * §6.2).
 */
export const numberKeywords: Keywords = {
  minimum: forNumbers(isNumber, comparing(isAtLeast, itself)),
  maximum: forNumbers(isNumber, comparing(isAtMost, itself)),
  exclusiveMinimum: forNumbers(
    isNumber,
    comparing((value, least) => value > least, itself),
  ),
  exclusiveMaximum: forNumbers(
    isNumber,
    comparing((value, most) => value < most, itself),
  ),
  multipleOf: forNumbers(isStep, comparing(isMultiple, itself)),
}

/** Whether a number is a multiple of another, as both are written in decimals. */
function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = toDecimal(value)
  const [stepDigits, stepExponent] = toDecimal(step)
  const least = Math.min(exponent, stepExponent)
  const scale = (own: bigint, ownExponent: number): bigint =>
    own * 10n ** BigInt(ownExponent - least)
  return scale(digits, exponent) % scale(stepDigits, stepExponent) === 0n
}

/** Returns a number as whole digits and a power of ten. */
function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
