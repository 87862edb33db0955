# Plain comments of the public headers as Doxygen reads them.
1s:^/\* :/** @file\n * :
/^\/\* --- /b
2,$s:^/\* :/** :
/^ *\/\//b
s:\([;,{(]\) */\* \(.*\*/\)$:\1 /**< \2:
/^[^/]*[;,] *\/\* [^*]*$/s:/\* :/**< :
