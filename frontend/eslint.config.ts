import { readdirSync } from 'node:fs'
import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript'
import checkFile from 'eslint-plugin-check-file'
import { importX } from 'eslint-plugin-import-x'
import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

const features = readdirSync(new URL('src/features', import.meta.url))

// Shared code -> features -> app, and no feature reaches into another one.
const zones = [
  ...features.map((feature) => ({
    target: `./src/features/${feature}`,
    from: './src/features',
    except: [`./${feature}`],
    message: 'Features do not import each other. Lift what they share into src/lib or src/components.',
  })),
  { target: './src/features', from: './src/app', message: 'Features know nothing of the app around them.' },
  {
    target: ['./src/components', './src/lib'],
    from: ['./src/features', './src/app'],
    message: 'Shared code knows neither features nor the app.',
  },
]

const spoken =
  '/^(aria-(label|description|valuetext|roledescription)|alt|hint|label|lead|note|placeholder|summary|tab|title|verb|what)$/'
const brand = '(?!\\s*Connote\\s*$)'
const said = 'What people read belongs into src/messages, in every language.'

// Sentences and labels live in the catalogue. What only developers read, the text of an Error, stays where it is.
const literalWords = [
  `JSXText[value=/^${brand}[^]*\\p{L}/u]`,
  `JSXAttribute[name.name=${spoken}] Literal[value=/^${brand}.*\\p{L}/u]`,
  `JSXAttribute[name.name=${spoken}] TemplateElement[value.raw=/\\p{L}/u]`,
  ':matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(Literal, TemplateLiteral > TemplateElement, ' +
    ':matches(ConditionalExpression, LogicalExpression) > Literal)[raw=/\\p{L}/u]',
  'Literal[value=/^\\p{Lu}\\p{L}*,? \\p{L}+/u]:not(NewExpression > Literal)',
  'TemplateElement[value.raw=/\\p{L}{2},? \\p{L}{2}/u]:not(:matches(NewExpression, CallExpression[callee.type="Super"]) > TemplateLiteral > TemplateElement)',
].map((selector) => ({ selector, message: said }))

// The rules of the compiler, and those that ask for types, take most of the time. `make test` lints without them and has
// the types checked by tsc; `make test-nightly` and `npm run lint` lint with them.
const cheap = ['react-hooks/rules-of-hooks', 'react-hooks/exhaustive-deps']
const ofTheCompiler = Object.keys(reactHooks.configs.flat.recommended.rules).filter((rule) => !cheap.includes(rule))
const isQuick = process.env.CONNOTE_QUICK_LINT !== undefined

export default defineConfig(
  globalIgnores(['dist', 'coverage', 'node_modules', 'src/lib/api/schema.d.ts']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  jsxA11y.flatConfigs.strict,
  reactHooks.configs.flat.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'import-x': importX, 'check-file': checkFile },
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: {
      // Without these no-cycle reads no TypeScript file and finds nothing.
      ...importX.flatConfigs.typescript.settings,
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      'import-x/no-duplicates': 'error',
      // Packages, then what everybody shares, then neighbours; each by its path.
      'import-x/order': [
        'error',
        {
          groups: ['builtin', 'external', 'internal', 'parent', ['sibling', 'index']],
          pathGroups: [{ pattern: '@/**', group: 'internal' }],
          pathGroupsExcludedImportTypes: [],
          alphabetize: { order: 'asc', caseInsensitive: true },
          'newlines-between': 'never',
        },
      ],
      'check-file/filename-naming-convention': [
        'error',
        { '**/*.{ts,tsx}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      'check-file/folder-naming-convention': ['error', { 'src/**/': 'KEBAB_CASE' }],
      'max-lines': ['error', { max: 350 }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // TanStack Router's redirect is thrown, by its design.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
      // A palette opened by a key must take the typing; only real DOM elements may not grab the focus.
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
    },
  },
  {
    files: ['src/{app,components,features,lib}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', ...literalWords] },
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
  },
  { files: ['*.config.ts'], rules: { 'import-x/no-default-export': 'off' } },
  isQuick
    ? {
        files: ['**/*.{ts,tsx}'],
        extends: [tseslint.configs.disableTypeChecked],
        linterOptions: { reportUnusedDisableDirectives: 'off' },
        rules: Object.fromEntries(ofTheCompiler.map((rule) => [rule, 'off'])),
      }
    : {},
)
