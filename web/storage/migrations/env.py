"""Alembic runs inside the application: the connection is handed over, there is no alembic.ini."""

from alembic import context

from web.storage import desk_models  # noqa: F401  (its tables belong to the same metadata)
from web.storage.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
