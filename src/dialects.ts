// The entry `fixtura/dialects`: the wire formats that the option `dialect` takes, and the contract of dialects of
// your own, with the query that dialects and the hook `list` of behaviours build.
export type {
  Answer,
  Call,
  Changes,
  CollectionView,
  Data,
  Dialect,
  LinkedResource,
  ListRequest,
  MemberRequest,
  Paging,
  RenderContext,
  Result,
  Serve,
} from './core/dialects/contract/dialect.ts'
export { jsonApi } from './core/dialects/json-api/json-api.ts'
export { jsonServer0 } from './core/dialects/json-server-0/json-server-0.ts'
export { jsonServer1 } from './core/dialects/json-server-1/json-server-1.ts'
export { jsonServer1Beta } from './core/dialects/json-server-1/json-server-1-beta.ts'
export { type Rest, rest } from './core/dialects/rest-names/rest-names.ts'
export type {
  KeyStyle,
  PageOptions,
  PresetName,
  RestFileOptions,
  RestNames,
  RestOptions,
} from './core/dialects/rest-names/options.ts'
export type { Template } from './core/text/template.ts'
export type { ParameterName } from './core/dialects/rest/spelling.ts'
export { simpleRest } from './core/dialects/simple-rest/simple-rest.ts'
export { supabase, type SupabaseOptions } from './core/supabase/supabase.ts'
export { directus } from './core/dialects/rest-names/presets/directus.ts'
export { djangoRestFramework } from './core/dialects/rest-names/presets/django-rest-framework.ts'
export { laravel } from './core/dialects/rest-names/presets/laravel.ts'
export { nestjsxCrud } from './core/dialects/rest-names/presets/nestjsx-crud.ts'
export { pocketbase } from './core/dialects/rest-names/presets/pocketbase.ts'
export { springDataRest } from './core/dialects/rest-names/presets/spring-data-rest.ts'
export { strapi } from './core/dialects/rest-names/presets/strapi.ts'
export type { Condition, Cursor, Embed, Query, Slice, SortKey, Where } from './core/query/tree.ts'
export type { Params } from './core/url/params.ts'
