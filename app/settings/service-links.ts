type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that Kubernetes sets for each Service of the namespace, and Docker for each link: an address for each
 * port.
 */
const addressOfPort = /^(?<base>.+_PORT)_\d+_(?:TCP|UDP|SCTP)$/;
const address = /^(?:tcp|udp|sctp):\/\//;
const others = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;

/**
 * The variables without those that Kubernetes or Docker set for a Service or a link: nobody has set them for this program,
 * although their names can be those of a setting, such as `ADMIN_PORT` for a Service named `admin`.
 */
export function withoutServiceLinks(environment: Environment): Environment {
  const bases = new Set(Object.keys(environment).map((name) => addressOfPort.exec(name)?.groups?.['base']));
  const isLink = (name: string, value = ''): boolean => others.test(name) || (bases.has(name) && address.test(value));
  return Object.fromEntries(Object.entries(environment).filter(([name, value]) => !isLink(name, value)));
}
