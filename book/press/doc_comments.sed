# Plain comments of a header as Doxygen's: whole lines before what they describe, ends of lines after it. What Doxygen
# would take for its own commands or for HTML is written so that it does not.
/^#/b
\|^[ \t]*//|{
  s|\\|\\\\|g
  s|<|\&lt;|g
  s|@|\\@|g
}
1s|^//|/// @file\n///|
s|^([ \t]*)//([^/!]\|$)|\1///\2|
s|([;,{}a-zA-Z0-9)][ \t]+)// |\1///< |
:again
s|(///< .*)<|\1\&lt;|
t again
