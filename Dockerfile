# Three images from one file: web (no torch), worker (torch and the sentence encoder), proxy (nginx with the site in it).

# With support until April 2028.
FROM node:24-bookworm-slim AS front-end
WORKDIR /app/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend ./
RUN npm run build


FROM python:3.11-slim-bookworm AS packages
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
COPY backend/requirements.lock backend/requirements.lock
RUN pip install --no-deps --require-hashes -r backend/requirements.lock
# The proxy mounts the folder `media` of the volume, so it must be there from the start.
RUN useradd --uid 10001 --create-home connote && mkdir -p /data/media && chown -R connote /data
ENV CONNOTE_DATA_DIR=/data CONNOTE_STATIC_ROOT=/app/static
VOLUME /data


FROM packages AS web
COPY . .
COPY --from=front-end /app/frontend/dist frontend/dist
# A key for this one command, forgotten with it: the image holds no secret.
RUN CONNOTE_SECRET_KEY="$(python -c 'import secrets; print(secrets.token_hex(32))')" \
    python manage.py collectstatic --no-input
# Runs and releases record it. Last, so that a new commit installs nothing anew.
ARG CODE_VERSION=unknown
ENV CONNOTE_CODE_VERSION=$CODE_VERSION
USER connote
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 \
    CMD ["python", "deploy/probe.py", "http://127.0.0.1:8000/health/live"]
CMD ["gunicorn", "backend.config.wsgi", "-c", "deploy/gunicorn.conf.py"]


FROM packages AS worker
COPY workers/requirements.lock workers/requirements.lock
RUN pip install --no-deps --require-hashes -r workers/requirements.lock
COPY --from=web /app /app
ARG CODE_VERSION=unknown
ENV CONNOTE_CODE_VERSION=$CODE_VERSION
USER connote
HEALTHCHECK --interval=60s --timeout=30s --start-period=60s --retries=3 \
    CMD celery -A workers.celery inspect ping --timeout 10 --destination "cpu@$(hostname)"
CMD ["celery", "-A", "workers.celery", "worker", "-Q", "cpu", "-n", "cpu@%h", "--loglevel", "INFO"]


FROM nginxinc/nginx-unprivileged:1.28-alpine AS proxy
ENV NGINX_ENVSUBST_FILTER="^(CONNOTE_MAX_UPLOAD_MB|CONNOTE_HTTPS|LISTEN|WEB|FRONTEND|MEDIA)$" \
    CONNOTE_MAX_UPLOAD_MB=2048 CONNOTE_HTTPS=false LISTEN=8080 WEB=web:8000 FRONTEND=/usr/share/nginx/html MEDIA=/data/media
COPY deploy/nginx.conf.template /etc/nginx/templates/default.conf.template
COPY --from=front-end /app/frontend/dist /usr/share/nginx/html
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --retries=6 CMD ["curl", "--fail", "--silent", "http://127.0.0.1:8080/health/live"]
CMD ["nginx", "-g", "daemon off;"]
