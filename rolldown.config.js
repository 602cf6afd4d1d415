/** Puts the command into few files, as Node takes longer to find many than to run them. */
export default {
  input: { main: 'src/cli/main.ts' },
  platform: 'node',
  logLevel: 'warn',
  external: /^[^./]/,
  output: { dir: 'dist/command', chunkFileNames: '[name].js', cleanDir: true },
}
