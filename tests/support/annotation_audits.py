"""What must never be true of a project's assignments, each as one SQL question that counts the offenders."""

from __future__ import annotations

AUDITS = {
    "HITs with more holders than places": """
        SELECT count(*) FROM (
            SELECT a.hit_id FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
            WHERE p.slug = %s AND a.status IN ('leased', 'submitted') GROUP BY a.hit_id
            HAVING count(*) > (SELECT count(*) FROM annotation_slot s WHERE s.hit_id = a.hit_id)) over""",
    "pairs judged more often than the maximum": """
        SELECT count(*) FROM (
            SELECT j.candidate_id FROM annotation_judgment j JOIN annotation_assignment a ON a.id = j.assignment_id
            JOIN projects_project p ON p.id = a.project_id
            WHERE p.slug = %s AND a.status = 'submitted' AND j.supersedes_id IS NULL AND j.control_id IS NULL
            GROUP BY j.candidate_id, p.overlap, p.max_overlap, p.confidence
            HAVING count(*) > CASE WHEN p.confidence IS NULL THEN p.overlap ELSE p.max_overlap END) over""",
    "pairs judged twice by one person": """
        SELECT count(*) FROM (
            SELECT j.annotator_id, j.candidate_id FROM annotation_judgment j
            JOIN annotation_assignment a ON a.id = j.assignment_id JOIN projects_project p ON p.id = a.project_id
            WHERE p.slug = %s AND j.supersedes_id IS NULL AND j.control_id IS NULL
            GROUP BY j.annotator_id, j.candidate_id HAVING count(*) > 1) twice""",
    "roots had twice by one person": """
        SELECT count(*) FROM (
            SELECT a.root_id, a.annotator_id FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
            WHERE p.slug = %s GROUP BY a.root_id, a.annotator_id HAVING count(*) > 1) twice""",
    "submitted without all judgments": """
        SELECT count(*) FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
        WHERE p.slug = %s AND a.status IN ('submitted', 'late') AND {length}(a.shown) <> (
            SELECT count(*) FROM annotation_judgment j WHERE j.assignment_id = a.id AND j.supersedes_id IS NULL)""",
    "judged but not submitted": """
        SELECT count(DISTINCT a.id) FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
        JOIN annotation_judgment j ON j.assignment_id = a.id
        WHERE p.slug = %s AND a.status NOT IN ('submitted', 'late')""",
    "leases that hold no place": """
        SELECT count(*) FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
        WHERE p.slug = %s AND a.status IN ('leased', 'submitted')
        AND NOT EXISTS (SELECT 1 FROM annotation_slot s WHERE s.assignment_id = a.id)""",
    "places held by nobody who works": """
        SELECT count(*) FROM annotation_slot s JOIN projects_project p ON p.id = s.project_id
        JOIN annotation_assignment a ON a.id = s.assignment_id
        WHERE p.slug = %s AND a.status NOT IN ('leased', 'submitted')""",
    "controls graded twice": """
        SELECT count(*) FROM (
            SELECT j.control_id, j.annotator_id FROM annotation_judgment j JOIN annotation_assignment a
            ON a.id = j.assignment_id JOIN projects_project p ON p.id = a.project_id
            WHERE p.slug = %s AND j.outcome <> '' GROUP BY j.control_id, j.annotator_id HAVING count(*) > 1) twice""",
    "assignments that do not show all of their HIT": """
        SELECT count(*) FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
        WHERE p.slug = %s AND a.idempotency_key <> '' AND {length}(a.shown) <> (
            SELECT count(*) FROM annotation_hititem i WHERE i.hit_id = a.hit_id)""",
}
LENGTH = {"postgresql": "jsonb_array_length", "sqlite": "json_array_length"}


def audit(slug: str) -> dict[str, int]:
    """How many rows of the project break each rule. All must be 0."""
    from django.db import connection

    found = {}
    with connection.cursor() as cursor:
        for rule, question in AUDITS.items():
            cursor.execute(question.format(length=LENGTH[connection.vendor]), [slug])
            found[rule] = int(cursor.fetchone()[0])
    return found
