// Collects garbage on SIGUSR2, in a server that was started with `--expose-gc --import collect.js`, so that
// the memory of sides is measured after the same collections.

process.on('SIGUSR2', () => globalThis.gc())
