import type { Template } from '../../text/template.ts'

/** The paths of a provider, and the peculiarities of its tokens. */
export interface Preset {
  /** The path of the issuer; `:tenant` is the tenant, `:root` the path of the option `issuer`. */
  issuer: string
  /** The usual tenant. */
  tenant: string
  /** The paths of the endpoints that the provider has; keycloak-js watches the login in the frames of the last four. */
  paths: Record<'authorize' | 'token' | 'userinfo' | 'jwks', string> &
    Partial<
      Record<'introspect' | 'revoke' | 'logout' | 'logoutToo' | 'device' | 'verify', string>
    > &
    Partial<Record<'cookieCheck' | 'cookieResult' | 'status' | 'statusInit', string>>
  /** The text before the id of a user in the claim `sub`. */
  subject: string
  /** Scopes that every grant has. */
  scope: string
  /** Whether the authorization response names the issuer (RFC 9207). */
  sendsIssuer: boolean
  /** When a login gets a refresh token. */
  refresh: 'always' | 'offline_access' | 'access_type'
  /** Whether a refresh token is replaced when it is used. */
  isRotating: boolean
  access: 'jwt' | 'opaque'
  refreshToken: 'jwt' | 'opaque'
  /** Further claims of ID tokens and of the user info. */
  idClaims: Template
  /** The claims of access tokens in place of those of RFC 9068. */
  accessClaims: Template
}

/** The names of the presets. */
export type PresetName = 'auth0' | 'keycloak' | 'entra' | 'cognito' | 'okta' | 'google'

/** The paths that a provider has below one path, each with its usual name. */
const below = (path: string): Omit<Preset['paths'], 'device' | 'verify'> => ({
  authorize: `${path}/authorize`,
  token: `${path}/token`,
  userinfo: `${path}/userinfo`,
  jwks: `${path}/keys`,
  introspect: `${path}/introspect`,
  revoke: `${path}/revoke`,
  logout: `${path}/logout`,
})

/** The provider without a preset. */
export const usual: Preset = {
  issuer: ':root',
  tenant: '',
  paths: {
    ...below(':root'),
    jwks: ':root/jwks',
    device: ':root/device',
    verify: ':root/verify',
  },
  subject: '',
  scope: '',
  sendsIssuer: true,
  refresh: 'offline_access',
  isRotating: true,
  access: 'jwt',
  refreshToken: 'opaque',
  idClaims: {},
  accessClaims: { aud: '$audience', client_id: '$client', scope: '$scope' },
}

const silent: Preset = { ...usual, sendsIssuer: false }

const keycloak = '/realms/:tenant/protocol/openid-connect'

/** The providers by name, as their documentation describes them. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  auth0: {
    ...silent,
    issuer: '/',
    paths: {
      authorize: '/authorize',
      token: '/oauth/token',
      userinfo: '/userinfo',
      jwks: '/.well-known/jwks.json',
      revoke: '/oauth/revoke',
      logout: '/oidc/logout',
      logoutToo: '/v2/logout',
      device: '/oauth/device/code',
      verify: '/activate',
    },
    subject: 'auth0|',
    accessClaims: { aud: '$audiences', azp: '$client', scope: '$scope', gty: '$grantType' },
  },
  keycloak: {
    ...usual,
    issuer: '/realms/:tenant',
    tenant: 'fixtura',
    paths: {
      ...below(keycloak),
      authorize: `${keycloak}/auth`,
      jwks: `${keycloak}/certs`,
      introspect: `${keycloak}/token/introspect`,
      device: `${keycloak}/auth/device`,
      verify: '/realms/:tenant/device',
      cookieCheck: `${keycloak}/3p-cookies/step1.html`,
      cookieResult: `${keycloak}/3p-cookies/step2.html`,
      status: `${keycloak}/login-status-iframe.html`,
      statusInit: `${keycloak}/login-status-iframe.html/init`,
    },
    scope: 'profile email',
    refresh: 'always',
    refreshToken: 'jwt',
    idClaims: {
      typ: 'ID',
      azp: '$client',
      acr: '1',
      'preferred_username?': '$username',
    },
    accessClaims: {
      typ: 'Bearer',
      aud: 'account',
      azp: '$client',
      acr: '1',
      scope: '$scope',
      realm_access: { roles: '$roles' },
      resource_access: { account: { roles: ['manage-account', 'view-profile'] } },
      'preferred_username?': '$username',
      'email?': '$email',
      'name?': '$name',
    },
  },
  entra: {
    ...silent,
    issuer: '/:tenant/v2.0',
    tenant: '9122040d-6c67-4c5b-b112-36a304b66dad',
    paths: {
      authorize: '/:tenant/oauth2/v2.0/authorize',
      token: '/:tenant/oauth2/v2.0/token',
      userinfo: '/oidc/userinfo',
      jwks: '/:tenant/discovery/v2.0/keys',
      logout: '/:tenant/oauth2/v2.0/logout',
      device: '/:tenant/oauth2/v2.0/devicecode',
      verify: '/common/oauth2/deviceauth',
    },
    idClaims: {
      ver: '2.0',
      oid: '$id',
      tid: '$tenant',
      'preferred_username?': '$email',
      'roles?': '$someRoles',
    },
    accessClaims: {
      ver: '2.0',
      aud: '$audience',
      azp: '$client',
      azpacr: '0',
      oid: '$id',
      tid: '$tenant',
      scp: '$scope',
      'preferred_username?': '$email',
      'name?': '$name',
      'roles?': '$someRoles',
    },
  },
  cognito: {
    ...silent,
    issuer: '/:tenant',
    tenant: 'eu-central-1_fixtura',
    paths: {
      authorize: '/oauth2/authorize',
      token: '/oauth2/token',
      userinfo: '/oauth2/userInfo',
      jwks: '/:tenant/.well-known/jwks.json',
      revoke: '/oauth2/revoke',
      logout: '/logout',
    },
    refresh: 'always',
    isRotating: false,
    idClaims: {
      token_use: 'id',
      'cognito:username': '$username',
      'cognito:groups?': '$someRoles',
    },
    accessClaims: {
      token_use: 'access',
      client_id: '$client',
      version: 2,
      scope: '$scope',
      username: '$username',
      'cognito:groups?': '$someRoles',
    },
  },
  okta: {
    ...silent,
    issuer: '/oauth2/:tenant',
    tenant: 'default',
    paths: {
      ...below('/oauth2/:tenant/v1'),
      device: '/oauth2/:tenant/v1/device/authorize',
      verify: '/activate',
    },
    idClaims: { ver: 1, amr: ['pwd'], 'preferred_username?': '$email', 'groups?': '$someRoles' },
    accessClaims: {
      ver: 1,
      aud: 'api://default',
      cid: '$client',
      'uid?': '$id',
      scp: '$scopes',
      'groups?': '$someRoles',
    },
  },
  google: {
    ...silent,
    issuer: '',
    paths: {
      authorize: '/o/oauth2/v2/auth',
      token: '/token',
      userinfo: '/v1/userinfo',
      jwks: '/oauth2/v3/certs',
      revoke: '/revoke',
      device: '/device/code',
      verify: '/device',
    },
    refresh: 'access_type',
    isRotating: false,
    access: 'opaque',
    idClaims: { azp: '$client', 'hd?': '$emailDomain' },
    accessClaims: {},
  },
}
