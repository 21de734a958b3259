"""What doors of engines do, without an engine: tasks of this process."""

import inspect

import confmat as cm
from confmat.engines.counting import count_files
from confmat.engines.jobs import Job, plan_files
from confmat.engines.merging import evaluation_of
from confmat.logs.asking import asked_of
from confmat.logs.memory import checked_memory


def asked(question):
    """Return all that a door hands on."""
    parameters = inspect.signature(cm.spark.evaluate).parameters.values()
    return asked_of({one.name: one.default for one in parameters} | question)


def plan(source, question, *, slots=2, on_error="raise", max_memory=None):
    """Return the plan of files."""
    memory = checked_memory(max_memory)
    options = {"slots": slots, "on_error": on_error, "storage_options": None}
    return plan_files(source, asked(question), memory, **options)


def evaluated(source, question, **options):
    """Return the evaluation of files, whose job has travelled."""
    made = plan(source, question, **options)
    job = Job.unpacked(made.job.packed())
    outcomes = [count_files(job, task) for task in made.tasks]
    return evaluation_of(made.job, outcomes, made.skipped, made.paths)
