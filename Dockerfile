# By tag, so that a rebuild has the security fixes of Node and Debian. To pin it: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim

# The package, as `npm pack` makes it. To show the commit in its version: --build-arg COMMIT=$(git rev-parse HEAD)
FROM ${NODE_IMAGE} AS package
ARG COMMIT=
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --ignore-scripts
COPY . .
# Source maps repeat the sources, and nothing in the container reads them.
RUN COMMIT=${COMMIT} node build/main.ts \
  && npm pack --ignore-scripts \
  && mkdir /package \
  && tar -xzf latchkey-*.tgz -C /package --strip-components=1 --exclude='*.map' \
  && chmod 755 /package/dist/app/main.js

# What it needs to run: better-sqlite3 brings the binaries of other platforms, and SQLite's sources to compile them.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /srv/latchkey
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
# Stripe's library too, so that a key of Stripe in the environment is enough.
RUN npm ci --omit=dev --ignore-scripts \
  && npm install --no-save --save-prod --omit=dev --ignore-scripts stripe@23 \
  && rm node_modules/latchkey-client \
  && rm -r node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Latchkey" \
  org.opencontainers.image.version="0.3.0" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /srv/latchkey
ENV NODE_ENV=production STORE_URL=sqlite:/data/latchkey.db HOST=0.0.0.0
COPY --from=dependencies /srv/latchkey/node_modules node_modules
COPY --from=package /package .
RUN install -d -o 1000 -g 1000 -m 700 /data /backups \
  && ln -s /srv/latchkey/dist/app/main.js /usr/local/bin/latchkey
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Neither goes through a shell, so that signals reach the service.
ENTRYPOINT ["node", "/srv/latchkey/dist/app/main.js"]
CMD ["serve"]
