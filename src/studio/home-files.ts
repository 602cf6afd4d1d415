/** The files of the studio's page by name, for platforms without a file system. The build fills them in. */
export const homeFiles: Readonly<Record<string, string>> = {}
