/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Names and strings from the values of macros. Assembly includes this file too.
 */
#ifndef FIN_NAMES_H
#define FIN_NAMES_H

#define FIN_CAT_(a, b) a##b
#define FIN_CAT(a, b) FIN_CAT_(a, b)
#define FIN_TEXT_(x) #x
#define FIN_TEXT(x) FIN_TEXT_(x)

#endif
