// SPDX-License-Identifier: Apache-2.0
#include "multibody/mjcf.h"

#include <tinyxml2.h>

#include <string_view>
#include <vector>

#include "stiction/types.h"

namespace stiction {

namespace {

using tinyxml2::XMLElement;

std::string_view name_of(const XMLElement& element) { return element.Name(); }

std::string line_of(const XMLElement& element) {
  return "line " + std::to_string(element.GetLineNum()) + ": <" + element.Name() + ">";
}

// Elements that put bodies somewhere else, or make more of them.
void refuse_unread(const XMLElement& element) {
  for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    for (const char* unread : {"include", "frame", "replicate", "attach", "composite", "flexcomp"})
      if (name_of(*child) == unread)
        throw InvalidInput(line_of(*child) + " is not read; expected a file without it");
    double mass = 0;
    if (name_of(*child) == "inertial" &&
        child->QueryDoubleAttribute("mass", &mass) == tinyxml2::XML_SUCCESS && !(mass >= 0))
      throw InvalidInput(line_of(*child) + " has a mass of " + text(mass) +
                         ", expected a number ≥ 0");
    refuse_unread(*child);
  }
}

bool has_joint(const XMLElement& body) {
  return body.FirstChildElement("joint") != nullptr ||
         body.FirstChildElement("freejoint") != nullptr;
}

bool drop_inactive(XMLElement& root) {
  bool changed = false;
  for (XMLElement* equality = root.FirstChildElement("equality"); equality != nullptr;
       equality = equality->NextSiblingElement("equality"))
    for (XMLElement* constraint = equality->FirstChildElement(); constraint != nullptr;) {
      XMLElement* const next = constraint->NextSiblingElement();
      bool active = true;
      constraint->QueryBoolAttribute("active", &active);
      if (!active) {
        equality->DeleteChild(constraint);
        changed = true;
      } else if (name_of(*constraint) != "connect" && name_of(*constraint) != "weld") {
        throw InvalidInput(line_of(*constraint) +
                           " in <equality> is not read; expected <connect> or <weld>");
      }
      constraint = next;
    }
  return changed;
}

}  // namespace

std::string one_tree(const std::string& text, bool floating) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw InvalidInput("cannot be read as a model: line " +
                       std::to_string(document.ErrorLineNum()) + " is not XML");
  XMLElement* const root = document.FirstChildElement("mujoco");
  XMLElement* const world = root == nullptr ? nullptr : root->FirstChildElement("worldbody");
  if (world == nullptr) throw InvalidInput("cannot be read as a model: it has no <worldbody>");
  if (world->NextSiblingElement("worldbody") != nullptr)
    throw InvalidInput("cannot be read as a model: it has two <worldbody>");
  refuse_unread(*root);
  bool changed = drop_inactive(*root);
  std::vector<XMLElement*> bodies;
  for (XMLElement* body = world->FirstChildElement("body"); body != nullptr;
       body = body->NextSiblingElement("body"))
    bodies.push_back(body);
  if (floating)
    for (const XMLElement* body : bodies)
      if (has_joint(*body))
        throw InvalidInput("its root moves by a joint of its own; it cannot float besides");
  if (bodies.size() > 1) {
    XMLElement* const fixed = document.NewElement("body");
    fixed->SetAttribute("name", "worldbody");
    for (XMLElement* body : bodies) fixed->InsertEndChild(body);
    world->InsertEndChild(fixed);
    changed = true;
  }
  if (!changed) return text;
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace stiction
