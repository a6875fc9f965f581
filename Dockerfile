# By tag, so that a rebuild has the security fixes of Node and Debian. To pin it: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE}
WORKDIR /srv/latchkey
ENV NODE_ENV=production STORE_URL=sqlite:/data/latchkey.db HOST=0.0.0.0
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY core core
COPY adapters adapters
COPY app app
RUN install -d -o node -g node -m 700 /data && ln -s /srv/latchkey/app/main.js /usr/local/bin/latchkey
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "app/main.js", "serve"]
