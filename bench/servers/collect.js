// Preloaded with `--expose-gc --import`: collects garbage on SIGUSR2.

process.on('SIGUSR2', () => globalThis.gc())
