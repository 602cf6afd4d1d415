import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { JsonRecord } from '../../json/json.ts'
import { randomText, randomUuid } from '../../time/random.ts'
import { withParameters } from '../oidc/request.ts'
import { type Accounts, mailsName, textIn } from './accounts.ts'
import { refuse } from './failure.ts'

/** Keeps the mails that Supabase would send in `auth/mails`. */
export function createMails(
  { clock, random, service: { store } }: MockContext,
  accounts: Accounts,
): Mails {
  const mails = (): (JsonRecord & Mail)[] =>
    [...store.collection(mailsName).records()] as (JsonRecord & Mail)[]

  return {
    sendTo(exchange, addresses, { url, ...facts }) {
      const { user_id, type, challenge, redirect_to } = facts
      for (const one of mails())
        if (one.user_id === user_id && one.type === type) store.remove(mailsName, one.id)
      const created_at = new Date(clock.now()).toISOString()
      const sent = addresses.filter(Boolean).map((to) => {
        const id = randomUuid(random)
        const token_hash = (challenge && 'pkce_') + randomText(random, 56)
        const code = String(Math.floor(random() * 1e6)).padStart(6, '0')
        const link = withParameters(url, { token: token_hash, type, redirect_to })
        exchange.reasons.push(`${type} to ${to}: code ${code}, link ${link}`)
        const mail = { id, ...facts, to, code, token_hash, link, created_at }
        store.insert(mailsName, mail)
        return mail
      })
      const [first] = sent
      if (!first) throw refuse('email_address_invalid')
      return first
    },
    async redeem(exchange, isIt) {
      const sent = mails().find(isIt)
      const user = sent && accounts.users.get(sent.user_id, exchange)
      const isExpired = Date.parse(sent?.created_at ?? '') + mailLifetime <= clock.now()
      if (!user || isExpired) throw refuse('otp_expired')
      store.remove(mailsName, sent.id)
      const isChange = sent.type === 'email_change'
      const isOther = (one: Mail): boolean => one.user_id === sent.user_id && one.type === sent.type
      if (isChange && mails().some(isOther)) return { user, sent, isPending: true }
      if (!isChange && user['email_confirmed_at'] !== null) return { user, sent, isPending: false }
      const email = textIn(user, 'new_email')
      const fields = {
        email_confirmed_at: new Date(clock.now()).toISOString(),
        ...(isChange && { email, new_email: null }),
        ...(isChange && user['is_anonymous'] === true && { is_anonymous: false }),
      }
      const stored = await accounts.save(exchange, sent.user_id, fields)
      return { user: stored, sent, isPending: false }
    },
  }
}

/** The mails of a mock; see {@link createMails}. */
export interface Mails {
  /**
   * Writes a mail to each address into `auth/mails`, in place of earlier ones to the user, and their codes and links
   * into the log. Returns the first.
   */
  sendTo(
    exchange: Exchange,
    addresses: readonly string[],
    facts: Pick<Mail, 'user_id' | 'type' | 'challenge' | 'redirect_to'> & { url: string },
  ): Mail
  /**
   * Takes the mail that a test selects, and confirms the e-mail of its user. The change of an e-mail is pending until
   * both addresses have confirmed it. @throws MockError 403 without such a mail
   */
  redeem(
    exchange: Exchange,
    isIt: (mail: Mail) => boolean,
  ): Promise<{ user: JsonRecord; sent: Mail; isPending: boolean }>
}

/** A mail that Supabase would send; `challenge` is that of PKCE, or empty. */
type Mail = Record<'id' | 'user_id' | 'to' | 'type' | 'code' | 'token_hash' | 'link', string> &
  Record<'redirect_to' | 'created_at' | 'challenge', string>

/** How long the link and the code of a mail are valid, in milliseconds. */
export const mailLifetime = 3_600_000
