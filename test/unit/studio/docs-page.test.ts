import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { readHome } from '../../../src/faces/node/home.ts'
import { findSwaggerUi } from '../../../src/faces/node/swagger-ui.ts'
import { missingPage } from '../../../src/studio/docs-page.ts'

/** A project with a package `swagger-ui-dist` of a version. */
function createProject(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'node_modules/swagger-ui-dist')
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'swagger-ui-dist', version }))
  writeFileSync(join(path, 'swagger-ui.css'), '/* of the project */')
  return folder
}

describe('the API reference', () => {
  const files: [path: string, type: string, start: RegExp][] = [
    ['/__mock/docs', 'html', /^<!doctype html>[^]*<div id="reference">/],
    ['/__mock/docs/style.css', 'css', /^\s*:root/],
    ['/__mock/docs/swagger-ui.css', 'css', /swagger-ui/],
    ['/__mock/docs/swagger-ui-bundle.js', 'javascript', /SwaggerUIBundle/],
  ]

  it.each(files)('has %s, which loads nothing of other origins', async (path, type, start) => {
    const response = await readHome(path)
    expect(response).toMatchObject({ status: 200, body: expect.stringMatching(start) as string })
    expect(response?.headers).toContainEqual(['Content-Type', `text/${type}; charset=utf-8`])
    expect(response?.headers).toContainEqual([
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ])
  })

  it.each(['package.json', 'index.html', 'swagger-ui.js', '..%2fhome', '../package.json', ''])(
    'has no file "%s"',
    async (name) => expect(await readHome(`/__mock/docs/${name}`)).toBeUndefined(),
  )

  it('takes the package of the project in the working directory', async () => {
    const folder = createProject('5.0.0')
    expect(findSwaggerUi(folder)).toBe(join(folder, 'node_modules/swagger-ui-dist'))
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await readHome('/__mock/docs/swagger-ui.css')).toMatchObject({
      body: '/* of the project */',
    })
  })

  it('skips a package that is too old for OpenAPI 3.1', () => {
    const folder = createProject('4.19.1')
    expect(findSwaggerUi(folder)).not.toContain(folder)
  })

  it('says how to install the package', () => {
    expect(missingPage).toContain('npm install --save-dev swagger-ui-dist')
    expect(missingPage).toContain('href="/__mock/openapi.json"')
  })
})
