"""Django's PostgreSQL engine for web processes: a database that is away costs no thread more than one."""
