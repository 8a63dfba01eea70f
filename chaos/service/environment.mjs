// Settings of every process of the service.
export const ENVIRONMENT = {
  JWT_SECRET: 'a-secret-for-chaos-that-has-32-bytes-or-more',
  HOST: '127.0.0.1',
  PORT: '0',
  // The address is read from the log.
  LOG_LEVEL: 'info',
  DEMO: 'false',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_PER_CLIENT: '0',
  RATE_LIMIT_PER_ACCOUNT: '0',
};
