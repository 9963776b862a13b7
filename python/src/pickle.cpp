// SPDX-License-Identifier: Apache-2.0
#include "pickle.h"

#include "contact.h"
#include "slider_bind.h"
#include "stiction/coulomb.h"
#include "stiction/eigen_directions.h"
#include "stiction/enumerate.h"
#include "stiction/free_bodies.h"
#include "stiction/generalized_cone.h"
#include "stiction/impact.h"
#include "stiction/linearisation.h"
#include "stiction/moment_function.h"
#include "stiction/slider_fit.h"
#include "stiction/slider_motion.h"
#include "stiction/slider_points.h"
#include "stiction/slider_push.h"
#include "stiction/slider_slide.h"
#include "stiction/slider_surface.h"
#include "stiction/slip_law.h"

namespace stiction::python {

template <>
inline constexpr auto fields_of<Motion> = std::tuple(&Motion::vx, &Motion::vy, &Motion::omega);
template <>
inline constexpr auto fields_of<Load> = std::tuple(&Load::fx, &Load::fy, &Load::moment);
template <>
inline constexpr auto fields_of<Certificate> = std::tuple(
    &Certificate::natural_map, &Certificate::relative, &Certificate::scaled,
    &Certificate::cone_violation, &Certificate::penetration, &Certificate::complementarity,
    &Certificate::slip_alignment, &Certificate::dissipation, &Certificate::slip_dissipation,
    &Certificate::spin_dissipation, &Certificate::rolling_dissipation,
    &Certificate::joint_dissipation);
template <>
inline constexpr auto fields_of<Separation> =
    std::tuple(&Separation::direction, &Separation::proves);
template <>
inline constexpr auto fields_of<Iteration> =
    std::tuple(&Iteration::method, &Iteration::iteration, &Iteration::relative, &Iteration::scaled,
               &Iteration::seconds, &Iteration::regularisation);
template <>
inline constexpr auto fields_of<PythonSolution> = std::tuple(
    &PythonSolution::status, &PythonSolution::method, &PythonSolution::iterations,
    &PythonSolution::seconds, &PythonSolution::reactions, &PythonSolution::velocities,
    &PythonSolution::generalized_velocities, &PythonSolution::certificate, &PythonSolution::history,
    &PythonSolution::dimension, &PythonSolution::separation, &PythonSolution::modes);
template <>
inline constexpr auto fields_of<EnumeratedSolution> = std::tuple(
    &EnumeratedSolution::reactions, &EnumeratedSolution::velocities, &EnumeratedSolution::modes,
    &EnumeratedSolution::dimension, &EnumeratedSolution::certificate);
template <>
inline constexpr auto fields_of<Enumeration> =
    std::tuple(&Enumeration::solutions, &Enumeration::complete, &Enumeration::proves_none,
               &Enumeration::reason);
template <>
inline constexpr auto fields_of<JamSector> =
    std::tuple(&JamSector::direction, &JamSector::half_width);
template <>
inline constexpr auto fields_of<GeneralizedCone> = std::tuple(
    &GeneralizedCone::delassus, &GeneralizedCone::massless, &GeneralizedCone::curve,
    &GeneralizedCone::regular, &GeneralizedCone::has_mass, &GeneralizedCone::effective_mass,
    &GeneralizedCone::has_quadric, &GeneralizedCone::quadric, &GeneralizedCone::holding,
    &GeneralizedCone::mu_crit, &GeneralizedCone::mu_jam, &GeneralizedCone::holding_gauge,
    &GeneralizedCone::jam_ratio, &GeneralizedCone::stick_inside, &GeneralizedCone::plane_cut,
    &GeneralizedCone::jam, &GeneralizedCone::crit_depends, &GeneralizedCone::jam_depends,
    &GeneralizedCone::apex);
template <>
inline constexpr auto fields_of<ConfigurationCone> =
    std::tuple(&ConfigurationCone::jacobian, &ConfigurationCone::map, &ConfigurationCone::contact);
template <>
inline constexpr auto fields_of<FreeBody> = std::tuple(
    &FreeBody::mass, &FreeBody::inertia, &FreeBody::inertia_inverse, &FreeBody::to_contact);
template <>
inline constexpr auto fields_of<ImpactPhase> =
    std::tuple(&ImpactPhase::mode, &ImpactPhase::from, &ImpactPhase::to, &ImpactPhase::slip_before,
               &ImpactPhase::slip_after);
template <>
inline constexpr auto fields_of<ImpactPoint> =
    std::tuple(&ImpactPoint::normal_impulse, &ImpactPoint::velocity);
template <>
inline constexpr auto fields_of<Impact> =
    std::tuple(&Impact::velocity, &Impact::impulse, &Impact::compression_impulse,
               &Impact::compression_work, &Impact::restitution_work, &Impact::friction_work,
               &Impact::energy_change, &Impact::phases, &Impact::path);
template <>
inline constexpr auto fields_of<CoulombConditions> =
    std::tuple(&CoulombConditions::a, &CoulombConditions::b, &CoulombConditions::c);
template <>
inline constexpr auto fields_of<CoulombCheck> =
    std::tuple(&CoulombCheck::a, &CoulombCheck::b, &CoulombCheck::c, &CoulombCheck::residual,
               &CoulombCheck::message);
template <>
inline constexpr auto fields_of<PowerViolation> =
    std::tuple(&PowerViolation::amount, &PowerViolation::slip, &PowerViolation::force,
               &PowerViolation::other_slip, &PowerViolation::other_force);
template <>
inline constexpr auto fields_of<ConeQuality> = std::tuple(
    &ConeQuality::inscribed, &ConeQuality::circumscribed, &ConeQuality::under, &ConeQuality::over,
    &ConeQuality::under_at_deg, &ConeQuality::over_at_deg, &ConeQuality::area_ratio);
template <>
inline constexpr auto fields_of<SlipError> =
    std::tuple(&SlipError::direction, &SlipError::force, &SlipError::power);
template <>
inline constexpr auto fields_of<ThrownBlock> =
    std::tuple(&ThrownBlock::path, &ThrownBlock::time, &ThrownBlock::least_power);
template <>
inline constexpr auto fields_of<Face> = std::tuple(&Face::kind, &Face::first, &Face::last);
template <>
inline constexpr auto fields_of<NormalCone> =
    std::tuple(&NormalCone::kind, &NormalCone::first, &NormalCone::last);
template <>
inline constexpr auto fields_of<FaceTerm> =
    std::tuple(&FaceTerm::support, &FaceTerm::kind, &FaceTerm::points);
template <>
inline constexpr auto fields_of<LoadSet> =
    std::tuple(&LoadSet::load, &LoadSet::power, &LoadSet::unique, &LoadSet::terms);
template <>
inline constexpr auto fields_of<MotionCertificate> =
    std::tuple(&MotionCertificate::power, &MotionCertificate::work, &MotionCertificate::distance);
template <>
inline constexpr auto fields_of<MotionSet> =
    std::tuple(&MotionSet::state, &MotionSet::gauge, &MotionSet::motion, &MotionSet::unique,
               &MotionSet::wedge, &MotionSet::rotation_centre, &MotionSet::certificate);
template <>
inline constexpr auto fields_of<MomentAt> =
    std::tuple(&MomentAt::moment, &MomentAt::force, &MomentAt::smooth, &MomentAt::terms);
template <>
inline constexpr auto fields_of<Facet> = std::tuple(&Facet::motion, &Facet::loads);
template <>
inline constexpr auto fields_of<Vertex> = std::tuple(&Vertex::load, &Vertex::wedge);
template <class T>
inline constexpr auto fields_of<OrReason<T>> =
    std::tuple(&OrReason<T>::value, &OrReason<T>::reason);
template <>
inline constexpr auto fields_of<SliderPoints> =
    std::tuple(&SliderPoints::centre_of_mass, &SliderPoints::centre_of_pressure,
               &SliderPoints::centre_of_friction, &SliderPoints::centre_of_twist,
               &SliderPoints::translation_force, &SliderPoints::twist_moment, &SliderPoints::facets,
               &SliderPoints::vertices);
template <>
inline constexpr auto fields_of<SlideSample> =
    std::tuple(&SlideSample::time, &SlideSample::pose, &SlideSample::motion);
template <>
inline constexpr auto fields_of<Slide> = std::tuple(
    &Slide::rests, &Slide::reason, &Slide::time_to_rest, &Slide::rest_pose, &Slide::final_direction,
    &Slide::rates, &Slide::stable, &Slide::energy_error, &Slide::steps, &Slide::trajectory);
template <>
inline constexpr auto fields_of<EigenDirection> =
    std::tuple(&EigenDirection::motion, &EigenDirection::power, &EigenDirection::stable,
               &EigenDirection::error);
template <>
inline constexpr auto fields_of<Push> =
    std::tuple(&Push::mode, &Push::motion, &Push::contact_force, &Push::unique,
               &Push::rotation_centre, &Push::motion_cone_right, &Push::motion_cone_left);
template <>
inline constexpr auto fields_of<EdgePush> =
    std::tuple(&EdgePush::stable, &EdgePush::margin, &EdgePush::motion);
template <>
inline constexpr auto fields_of<SurfaceFit> =
    std::tuple(&SurfaceFit::kind, &SurfaceFit::monomials, &SurfaceFit::coefficients,
               &SurfaceFit::max_error, &SurfaceFit::max_error_at, &SurfaceFit::convexity);
template <>
inline constexpr auto fields_of<SurfaceMesh> = std::tuple(
    &SurfaceMesh::vertices, &SurfaceMesh::motions, &SurfaceMesh::triangles, &SurfaceMesh::facet,
    &SurfaceMesh::facets, &SurfaceMesh::max_error, &SurfaceMesh::length_scale);
template <>
inline constexpr auto fields_of<Support> = std::tuple(
    &Support::shape, &Support::normal_force, &Support::curve, &Support::tangential, &Support::at,
    &Support::to, &Support::radius, &Support::inner_radius, &Support::pressure, &Support::vertices,
    &Support::holes, &Support::tiles, &Support::cell, &Support::pressures, &Support::cells);
template <>
inline constexpr auto fields_of<SliderBody> =
    std::tuple(&SliderBody::name, &SliderBody::reference, &SliderBody::length_scale,
               &SliderBody::mass, &SliderBody::inertia, &SliderBody::centre_of_mass);
template <>
inline constexpr auto fields_of<SliderFile> = std::tuple(
    &SliderFile::body, &SliderFile::supports, &SliderFile::laws, &SliderFile::headings_deg);
// Made anew of its supports, by the same arithmetic.
template <>
nb::object packed(const PythonSlider& slider) {
  return packed(slider.file);
}
template <>
PythonSlider unpacked(nb::handle state) {
  SliderFile file = unpacked<SliderFile>(state);
  Slider slider = file.slider();
  return {std::move(slider), std::move(file)};
}

namespace {

template <class... T>
void each_pickled() {
  (pickled<T>(), ...);
}

}  // namespace

void bind_pickles() {
  each_pickled<Certificate, Separation, Iteration, PythonSolution, EnumeratedSolution, Enumeration,
               JamSector, GeneralizedCone, ConfigurationCone, FreeBody, ImpactPhase, Impact,
               CoulombCheck, PowerViolation, ConeQuality, SlipError, ThrownBlock, Face, NormalCone,
               FaceTerm, LoadSet, MotionCertificate, MotionSet, MomentAt, Facet, Vertex,
               SliderPoints, Slide, EigenDirection, Push, EdgePush, SurfaceFit, SurfaceMesh,
               Support, PythonLaw, PythonSlider>();
}

}  // namespace stiction::python
