-- Run once by an administrator, in the database that the engine is to have: psql --dbname unroll --file role.sql
-- The role owns the schemas "unroll" and "unroll_jobs" and has no right to anything else.
CREATE ROLE unroll LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD 'change-me';
CREATE SCHEMA unroll AUTHORIZATION unroll;
CREATE SCHEMA unroll_jobs AUTHORIZATION unroll;
