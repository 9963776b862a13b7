# SPDX-License-Identifier: Apache-2.0
"""Every function and type of the C++ headers is in Python, or is said here why not."""

import pathlib
import re

import pytest
import stiction as st

try:
    import stiction.models
except ImportError:  # built without Pinocchio
    pass

headers = sorted(pathlib.Path("include/stiction").glob("*.h"))

# Where a C++ name is, if Python calls it otherwise.
elsewhere = {
    "Model": "Solution", "Method": "Solution.method", "Status": "Solution.status", "Mode": "EnumeratedSolution.modes",
    "BlockMatrix": "ContactProblem.W", "block_matrix": "ContactProblem", "to_sparse": "ContactProblem.W",
    "ContactPlace": "ContactProblem.positions", "Bilateral": "ContactProblem", "Condensed": "ContactProblem.condensed",
    "CoulombConditions": "CoulombCheck.residuals", "coulomb_conditions": "CoulombCheck.residuals",
    "LeastPower": "least_power", "OptimalityResidual": "optimality_residual",
    "eigen_directions": "Slider.eigen_directions", "delassus": "FreeBody.delassus",
    "normal_acceleration": "FreeBody.normal_acceleration", "NormalCompliance": "GeneralizedCone.normal_compliance",
    "normal_compliance": "GeneralizedCone.normal_compliance", "Regime": "GeneralizedCone.regime",
    "regime": "GeneralizedCone.regime", "contains": "GeneralizedCone.contains", "nearest": "GeneralizedCone.nearest",
    "distance": "GeneralizedCone.distance", "rows": "GeneralizedCone.rows", "rays": "GeneralizedCone.rays",
    "section_support": "GeneralizedCone.section_support", "PrincipalAxes": "GeneralizedCone.principal_axes",
    "principal_axes": "GeneralizedCone.principal_axes", "Restitution": "impact", "ImpactPoint": "Impact.path",
    "parse_law": "Law", "limit_curve": "SlipLaw.limit_curve", "reference_coefficient": "Law.mu", "to_text": "Law.text",
    "HalfPlane": "Law.half_planes", "Ellipse": "ellipse", "LimitCurve": "Law", "with_bearing": "Law.with_bearing",
    "with_ratchet": "Law.with_ratchet", "free_curve": "free", "outline": "Law.outline", "support": "Law.support",
    "face": "Law.faces", "moment_function": "Slider.moment", "MomentFloor": "Slider.moment_floor",
    "moment_floor": "Slider.moment_floor", "moment_corners": "Slider.moment_corners", "StoredSolution": "ProblemFile.reactions",
    "ProblemInfo": "ProblemFile.title", "start_of": "ProblemFile.start", "write_problem_file": "convert",
    "Motion": "Slider.motion", "Load": "Slider.load", "SliderBody": "Slider", "load": "Slider.load", "loads": "Slider.loads",
    "PowerDerivatives": "Slider.power_derivatives", "power_derivatives": "Slider.power_derivatives", "fit": "Slider.fit",
    "MeasuredPush": "identify", "Identified": "identify", "SliderFile": "Slider.from_file",
    "read_slider_file": "Slider.from_file", "parse_slider_file": "Slider.from_json", "read_slider": "Slider.from_file",
    "parse_slider": "Slider.from_json", "slider_json": "Slider.to_json", "turned": "Law.rotated", "motion": "Slider.motion",
    "OrReason": "SliderPoints.reasons", "slider_points": "Slider.points", "push": "Slider.push", "Finger": "Slider.push",
    "Edge": "Slider.push_edge", "stable_push_bounds": "Slider.stable_push_bounds", "SlideOptions": "Slider.slide",
    "SlideSample": "Slide.poses", "slide": "Slider.slide", "SurfaceOptions": "Slider.surface",
    "limit_surface": "Slider.surface", "enclosed_volume": "SurfaceMesh.volume", "plane_section": "SurfaceMesh.section",
    "SolverOptions": "solve", "Stopped": "Interrupted", "modes_at": "Solution.modes",
    "DelassusLimit": "GeneralizedCone.massless", "massless_directions": "GeneralizedCone.massless",
    # models
    "Sweep": "models.Model.jamming_map", "parse_sweep": "models.Model.jamming_map", "MapPoint": "models.JammingMap.least_jam",
    "MapOptions": "models.Model.jamming_map", "jamming_map": "models.Model.jamming_map", "Base": "models.Model.from_file",
    "ModelOptions": "models.Model.from_file", "ModelJoint": "models.Model.joint_place", "Loop": "models.Model.with_loop",
    "MultibodyModel": "models.Model", "read_model": "models.Model.from_file", "parse_model": "models.Model.from_text",
    "Kinematics": "models.Model.jacobian", "contact_axes": "models.contact_axes", "ContactPoint": "models.Model.delassus",
    "Mechanism": "models.Model", "MechanismState": "models.Model.contact_state", "close_loops": "models.Model.close_loops",
    "TouchingContact": "models.Model.contact_motions", "ContactMotions": "models.ContactMotions",
    "contact_motions": "models.Model.contact_motions", "JammingMap": "models.JammingMap",
}  # fmt: skip

# Not in Python, and why.
needless = {
    "multiply": "W @ x of scipy", "validate": "done by every constructor",
    "parse_restitution": "impact takes the two parts", "parse_number": "Python's own",
    "parse_numbers": "Python's own", "ProblemKind": "a text", "is_fclib": "the ending of a path",
    "Direction": "an angle in radians", "cross": "numpy's", "angle_degrees": "numpy's", "text": "repr",
    "InvalidInput": "ValueError",
    "look_beside": "done by solve", "Origin": "kept by ContactProblem", "Among": "to find a direction",
    **dict.fromkeys(
        ("method_names", "model_names", "parse_friction_model", "parse_method", "parse_proves"),
        "Python takes and gives texts",
    ),
    **dict.fromkeys(
        ("SectionFace", "SectionProjection", "HalfSpace", "Ellipsoid", "Polytope", "SupportBody", "Section",
         "ellipsoid_section", "interval_section", "curve_section", "product_section", "polytope_section",
         "body_section", "ConeProjection", "SectionCone", "FixedSet", "Patch", "patch_section", "SectionQuality",
         "section_quality", "parse_section", "read_section", "section_json"),
        "sections have no door in Python yet",
    ),
    **dict.fromkeys(
        ("Constraint", "ConstraintProblem", "GlobalConstraintProblem", "CondensedConstraints",
         "contact_constraint", "fixed_constraint", "limit_constraint", "bilateral_constraint", "plane_section",
         "row_starts", "written_out", "read_content", "write_constraints"),
        "lists of constraints have no door in Python yet",
    ),
}  # fmt: skip

names = {
    name
    for header in headers
    for line in header.read_text(encoding="utf-8").splitlines()
    for name in re.findall(
        r"^(?:struct|class|enum class) (\w+)\b(?!;)|^(?:inline )?(?:const )?[A-Z_a-z][\w:<>]*(?:<[^()]*>)?[&*]? (\w+)\(", line
    )
    for name in name
    if name
}


def test_the_headers_are_read():
    assert len(headers) > 20 and len(names) > 150
    assert {"disc", "solve", "Certificate", "jamming_map", "limit_curve", "wheel_with_bar", "Mode"} <= names


@pytest.mark.parametrize("name", sorted(names))
def test_a_public_name_is_in_python(name):
    if name in needless:
        assert not hasattr(st, name), "it is there after all: take it from the list"
        return
    path = elsewhere.get(name, name)
    if path.startswith("models.") and not hasattr(st, "models"):
        pytest.skip("the wheel was built without Pinocchio")
    found = st
    for part in path.split("."):
        assert hasattr(found, part), f"{name}: no {path} in stiction"
        found = getattr(found, part)


def test_the_lists_name_nothing_else():
    assert sorted((set(elsewhere) | set(needless)) - names) == []
