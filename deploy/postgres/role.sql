-- Run once by an administrator, in the database that the engine is to have: psql --dbname unroll --file role.sql
-- The role owns the schemas "unroll" and "unroll_jobs" and has no right to anything else, but for what everybody may:
-- in PostgreSQL 14 that is to make tables in the schema "public", unless REVOKE CREATE ON SCHEMA public FROM PUBLIC has been said.
CREATE ROLE unroll LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD 'change-me';
CREATE SCHEMA unroll AUTHORIZATION unroll;
CREATE SCHEMA unroll_jobs AUTHORIZATION unroll;
