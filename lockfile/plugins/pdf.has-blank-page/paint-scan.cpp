// The operators of ISO 32000-1, annex A, sorted by what they do to the question. See paint-scan.hpp.
#define POINTERHOLDER_TRANSITION 4
#include "paint-scan.hpp"
#include <algorithm>
#include <set>

namespace {

constexpr int MAX_DEPTH = 24;
constexpr double TOLERANCE = 1.0; // points

// Operators that neither paint nor change what matters here.
std::set<std::string> const SILENT = {"w",  "J",  "j",   "M",  "d",  "ri", "i",  "BT", "ET", "Tc", "Tw",
                                      "Tz", "TL", "Tf",  "Ts", "Td", "TD", "Tm", "T*", "d0", "d1", "CS",
                                      "SC", "SCN", "G",  "RG", "K",  "W",  "W*", "MP", "DP", "BMC", "BDC",
                                      "EMC", "ID", "BI"};
std::set<std::string> const STROKES = {"S", "s", "B", "B*", "b", "b*"};

} // namespace

Box box_of(QPDFObjectHandle array) {
  if (!array.isRectangle()) throw Unclear("no page box");
  auto box = array.getArrayAsRectangle();
  return {std::min(box.llx, box.urx), std::min(box.lly, box.ury), std::max(box.llx, box.urx), std::max(box.lly, box.ury)};
}

PaintScan::PaintScan(QPDFObjectHandle resources_, Box const &page_, PaintState state_, int depth_)
    : resources(resources_), page(page_), state(state_), depth(depth_) {
  if (depth > MAX_DEPTH) throw Unclear("forms within forms");
}

void PaintScan::handleEOF() {
  if (!operands.empty()) throw Unclear("operands without an operator");
}

void PaintScan::handleObject(QPDFObjectHandle object, size_t, size_t) {
  if (!object.isOperator()) {
    operands.push_back(object);
    return;
  }
  if (!painted) run(object.getOperatorValue());
  operands.clear();
}

void PaintScan::run(std::string const &name) {
  if (run_state(name) || run_path(name) || run_colour(name) || run_paint(name) || SILENT.count(name) > 0) return;
  if (name == "BX") compatibility++;
  else if (name == "EX") compatibility--;
  else if (compatibility <= 0) throw Unclear("unknown operator");
}

bool PaintScan::run_state(std::string const &name) {
  if (name == "q") {
    saved.push_back(state);
  } else if (name == "Q") {
    if (saved.empty()) throw Unclear("Q without q");
    state = saved.back();
    saved.pop_back();
  } else if (name == "cm") {
    QPDFMatrix step(number(0), number(1), number(2), number(3), number(4), number(5));
    state.ctm.concat(step);
  } else if (name == "gs") {
    use_graphics_state();
  } else if (name == "Tr") {
    state.text_mode = static_cast<int>(number(0));
  } else {
    return false;
  }
  return true;
}

bool PaintScan::run_path(std::string const &name) {
  auto point = [this](size_t at) {
    double x = 0, y = 0;
    state.ctm.transform(number(at), number(at + 1), x, y);
    return Point(x, y);
  };
  if (name == "m") {
    path.push_back({point(0)});
  } else if (name == "l") {
    if (path.empty()) throw Unclear("line without a start");
    path.back().push_back(point(0));
  } else if (name == "c" || name == "v" || name == "y") {
    boxes_only = false;
  } else if (name == "re") {
    add_rectangle();
  } else if (name == "n") {
    path.clear();
    boxes_only = true;
  } else {
    return name == "h";
  }
  return true;
}

void PaintScan::add_rectangle() {
  double x = number(0), y = number(1), width = number(2), height = number(3);
  std::vector<Point> shape;
  for (auto const &[dx, dy] : {Point(0, 0), Point(width, 0), Point(width, height), Point(0, height)}) {
    double px = 0, py = 0;
    state.ctm.transform(x + dx, y + dy, px, py);
    shape.emplace_back(px, py);
  }
  path.push_back(shape);
}

bool PaintScan::run_colour(std::string const &name) {
  if (name == "g") set_colour(1);
  else if (name == "rg") set_colour(3);
  else if (name == "k") set_colour(4);
  else if (name == "cs") use_colour_space();
  else if (name == "sc" || name == "scn") set_colour(state.components);
  else return false;
  return true;
}

bool PaintScan::run_paint(std::string const &name) {
  if (STROKES.count(name) > 0 || name == "sh" || name == "EI") painted = true;
  else if (name == "f" || name == "F" || name == "f*") finish_fill();
  else if (name == "Do") do_object();
  else if (name == "Tj" || name == "TJ" || name == "'") show_text(0);
  else if (name == "\"") show_text(2);
  else return false;
  return true;
}

/** A path of rectangles that the white fill of one of them covers with the page shows nothing. */
void PaintScan::finish_fill() {
  bool covered = std::any_of(path.begin(), path.end(), [this](auto const &shape) { return covers_page(shape); });
  if (!path.empty() || !boxes_only)
    painted = !(state.white && state.plain_blend && boxes_only && covered);
  path.clear();
  boxes_only = true;
}

bool PaintScan::covers_page(std::vector<Point> const &shape) const {
  bool closed = shape.size() == 5 && shape.front() == shape.back();
  if (shape.size() != 4 && !closed) return false;
  Box box{shape[0].first, shape[0].second, shape[0].first, shape[0].second};
  for (auto const &[x, y] : shape) box = {std::min(box.left, x), std::min(box.bottom, y), std::max(box.right, x), std::max(box.top, y)};
  // Four corners of that box, each once: a rectangle along the axes.
  auto corner = [&box](Point const &at) {
    bool right = std::abs(at.first - box.right) <= std::abs(at.first - box.left);
    bool top = std::abs(at.second - box.top) <= std::abs(at.second - box.bottom);
    double gap = std::abs(at.first - (right ? box.right : box.left)) + std::abs(at.second - (top ? box.top : box.bottom));
    return gap > TOLERANCE / 10 ? -1 : (right ? 2 : 0) + (top ? 1 : 0);
  };
  std::set<int> corners;
  for (size_t at = 0; at < 4; at++) corners.insert(corner(shape[at]));
  if (corners != std::set<int>{0, 1, 2, 3}) return false;
  return box.left <= page.left + TOLERANCE && box.bottom <= page.bottom + TOLERANCE && box.right >= page.right - TOLERANCE &&
         box.top >= page.top - TOLERANCE;
}

/** White is 1 in every component of grey and RGB, and 0 in every one of CMYK. */
void PaintScan::set_colour(int components) {
  state.components = components;
  state.white = components > 0 && operands.size() == static_cast<size_t>(components);
  for (size_t at = 0; state.white && at < operands.size(); at++)
    state.white = components == 4 ? number(at) <= 0 : number(at) >= 1;
}

void PaintScan::use_colour_space() {
  std::string name = name_at(0);
  state.white = false;
  state.components = 0;
  QPDFObjectHandle space = name.rfind("/Device", 0) == 0 || name == "/Pattern" ? operands[0] : resource("/ColorSpace", name);
  std::string kind = space.isName() ? space.getName() : "";
  if (space.isArray() && space.getArrayNItems() > 0 && space.getArrayItem(0).isName()) kind = space.getArrayItem(0).getName();
  if (kind == "/DeviceGray" || kind == "/CalGray") state.components = 1;
  if (kind == "/DeviceRGB" || kind == "/CalRGB") state.components = 3;
  if (kind == "/DeviceCMYK") state.components = 4;
  if (kind != "/ICCBased" || space.getArrayNItems() < 2 || !space.getArrayItem(1).isStream()) return;
  QPDFObjectHandle count = space.getArrayItem(1).getDict().getKey("/N");
  if (count.isInteger()) state.components = static_cast<int>(count.getIntValue());
}

/** Only a normal blend leaves white paper white under a white fill. */
void PaintScan::use_graphics_state() {
  QPDFObjectHandle parameters = resource("/ExtGState", name_at(0));
  if (!parameters.isDictionary()) throw Unclear("no such graphics state");
  QPDFObjectHandle blend = parameters.getKey("/BM");
  if (blend.isArray() && blend.getArrayNItems() > 0) blend = blend.getArrayItem(0);
  if (blend.isName()) state.plain_blend = blend.getName() == "/Normal" || blend.getName() == "/Compatible";
}

void PaintScan::do_object() {
  QPDFObjectHandle object = resource("/XObject", name_at(0));
  if (!object.isStream()) throw Unclear("no such object");
  QPDFObjectHandle kind = object.getDict().getKey("/Subtype");
  if (!kind.isName()) throw Unclear("an object of no kind");
  if (kind.getName() != "/Form") {
    painted = true;
    return;
  }
  QPDFObjectHandle own = object.getDict().getKey("/Resources"), matrix = object.getDict().getKey("/Matrix");
  PaintState inner = state;
  if (matrix.isMatrix()) inner.ctm.concat(QPDFMatrix(matrix.getArrayAsMatrix()));
  PaintScan scan(own.isDictionary() ? own : resources, page, inner, depth + 1);
  object.parseAsContents(&scan);
  painted = scan.paints();
}

bool form_paints(QPDFObjectHandle form, Box const &page) {
  PaintScan scan(form.getDict().getKey("/Resources"), page, {}, 1);
  form.parseAsContents(&scan);
  return scan.paints();
}

/** Modes 3 and 7 show no glyph; an empty string shows none either. */
void PaintScan::show_text(size_t operand) {
  if (operands.size() <= operand) throw Unclear("text without a string");
  QPDFObjectHandle text = operands[operand];
  bool shown = text.isString() && !text.getStringValue().empty();
  if (text.isArray())
    for (auto &part : text.getArrayAsVector()) shown = shown || (part.isString() && !part.getStringValue().empty());
  if (shown && state.text_mode != 3 && state.text_mode != 7) painted = true;
}

double PaintScan::number(size_t operand) {
  if (operands.size() <= operand || !operands[operand].isNumber()) throw Unclear("a number is missing");
  return operands[operand].getNumericValue();
}

std::string PaintScan::name_at(size_t operand) {
  if (operands.size() <= operand || !operands[operand].isName()) throw Unclear("a name is missing");
  return operands[operand].getName();
}

QPDFObjectHandle PaintScan::resource(std::string const &kind, std::string const &name) {
  if (!resources.isDictionary()) return QPDFObjectHandle::newNull();
  QPDFObjectHandle table = resources.getKey(kind);
  return table.isDictionary() ? table.getKey(name) : QPDFObjectHandle::newNull();
}
