// Letters of 5 x 7 dots with room below the line, as character displays show them: for pictures made without a font.
#pragma once

namespace synperf {

inline constexpr int kLetterColumns = 5, kLetterRows = 8;
inline constexpr int kLetterBase = 7;  ///< rows above the line that letters stand on

/// Dots of one column of a printable ASCII letter, the topmost in the lowest bit.
[[nodiscard]] unsigned letter_column(char letter, int column);

}  // namespace synperf
