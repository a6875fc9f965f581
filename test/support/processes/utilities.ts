/** Adds the folders with the utilities of every POSIX system to a PATH, which may hold nothing but Node. */
export function withUtilities(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: [env['PATH'], '/usr/bin', '/bin'].join(':') };
}
