// Preloaded with `--expose-gc --import`: collects garbage whenever the bench says so.

process.on('SIGUSR2', () => globalThis.gc())
