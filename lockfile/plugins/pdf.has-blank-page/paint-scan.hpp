// Reads a content stream operator by operator and finds out whether it paints anything but full-page white fills.
// Called for pages, forms and appearances. What it cannot tell it throws as Unclear; it never guesses.
#pragma once
#include <qpdf/QPDFMatrix.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <stdexcept>
#include <string>
#include <vector>

struct Unclear : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** A rectangle with its corners in order. */
struct Box {
  double left, bottom, right, top;
};

/** Of a PDF array of four numbers, in any order of corners. */
Box box_of(QPDFObjectHandle array);

/** A form XObject on its own, as an annotation's appearance is. */
bool form_paints(QPDFObjectHandle form, Box const &page);

/** The part of the graphics state that decides. */
struct PaintState {
  QPDFMatrix ctm;
  int components = 1; // of the fill colour's space; 0: a space whose white is not known
  bool white = false;
  bool plain_blend = true;
  int text_mode = 0;
};

class PaintScan : public QPDFObjectHandle::ParserCallbacks {
public:
  PaintScan(QPDFObjectHandle resources, Box const &page, PaintState state = {}, int depth = 0);
  void handleObject(QPDFObjectHandle object, size_t, size_t) override;
  void handleEOF() override;
  bool paints() const { return painted; }

private:
  using Point = std::pair<double, double>;

  void run(std::string const &name);
  bool run_state(std::string const &name);
  bool run_path(std::string const &name);
  bool run_colour(std::string const &name);
  bool run_paint(std::string const &name);
  void add_rectangle();
  void finish_fill();
  void use_graphics_state();
  void use_colour_space();
  void set_colour(int components);
  void do_object();
  void show_text(size_t operand);
  double number(size_t operand);
  std::string name_at(size_t operand);
  QPDFObjectHandle resource(std::string const &kind, std::string const &name);
  bool covers_page(std::vector<Point> const &shape) const;

  QPDFObjectHandle resources;
  Box page;
  PaintState state;
  int depth;
  std::vector<PaintState> saved;
  std::vector<QPDFObjectHandle> operands;
  std::vector<std::vector<Point>> path;
  bool boxes_only = true;
  bool painted = false;
  int compatibility = 0;
};
