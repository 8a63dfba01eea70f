# The image of the service, for a PostgreSQL of its own: it needs DATABASE_URL and JWT_SECRET. docs/deployment.md
# `docker run fairlead` starts the server; `docker run fairlead migrate`, `… apply -` and so on are its commands.

# The packages that run.
FROM node:22-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install script, and the optional ones are the embedded PostgreSQL.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# The compiler, and what it makes.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=optional --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY migrations migrations
COPY src src
COPY console console
COPY scripts/console.mjs scripts/console.mjs
RUN npm run build

FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 LOG_FORMAT=json
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
# The files belong to root: the service cannot change itself. It writes nothing, so the file system may be read-only.
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli.js"]
CMD ["start"]
