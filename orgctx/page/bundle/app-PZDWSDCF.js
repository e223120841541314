import{b as H}from"./chunk-OOJM4CTU.js";var E,ss,fr,G,Xe,Re,rs,Te,os,et,Qe,gr,be=Symbol.for("pv"),Me={},Ne=[],wr=/^m(i|n|o|s|text|space)$/,tt=Array.isArray,st=Ne.slice,ne=Object.assign;function ie(e){e&&e.parentNode&&e.remove()}function is(e,t,s){var r,o,i,c={},a=arguments.length;for(i in t)i=="key"?r=t[i]:i=="ref"&&typeof e!="function"?o=t[i]:c[i]=t[i];return a>2&&(c.children=a>3?st.call(arguments,2):s),ye(e,c,r,o,null)}function ye(e,t,s,r,o){var i={type:e,props:t,key:s,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:be,__v:o||++ss,__i:-1,__u:0};return!o&&E.vnode&&E.vnode(i),i}function Le(e){return e.children}function ae(e,t){this.props=e,this.context=t,this.__g=0}function X(e,t){if(t==null)return e.__&&X(e.__,e.__i+1);for(var s;t<e.__k.length;t++)if((s=e.__k[t])&&s.__e)return s.__e;return typeof e.type!="function"||e.props.__P?null:X(e)}function _r(e){var t,s=e.__v,r=s.__e,o=[],i=[],c=e.__P;c&&((t=ne({constructor:be},s)).__v=s.__v+1,E.vnode&&E.vnode(t),rt(c,t,s,e.__n,c.namespaceURI,32&s.__u?[r]:null,o,r||X(s),32&s.__u,i),t.__v=s.__v,t.__.__k[t.__i]=t,ps(o,t,i),s.__=s.__e=null,t.__e!=r&&ns(t))}function ns(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ns(e)}function es(e){(8&e.__g||(e.__g|=8,G.push(e),Re++))&&Xe==E.debounceRendering||((Xe=E.debounceRendering)||queueMicrotask)(as)}function as(){try{for(var e,t=1;G.length;)G.length>t&&G.sort(rs),e=G.shift(),t=G.length,8&e.__g&&_r(e)}finally{(Re=G.length)&&(Xe||queueMicrotask)(as)}}function cs(e,t,s,r,o,i,c,a,u,d,l){var m,h,p,f,j,_,g=r.__k||Ne,y=t.length;for(u=yr(s,t,g,u,y),m=0;m<y;m++)(p=s.__k[m])!=null&&(h=~p.__i&&g[p.__i]||Me,p.__i=m,_=rt(e,p,h,o,i,c,a,u,d,l),f=p.__e,(h.ref!=p.ref||8&h.__u)&&(h.ref&&ot(h.ref,null,p,h),p.ref&&l.push(p.ref,p.__c||f,p)),j=j||f,4&p.__u?(u=ls(p,u,e,!h.__v),h.__e&&(h.__e=null)):typeof p.type=="function"&&_!==void 0?u=_:f&&(u=f.nextSibling),p.__u&=-21);return s.__e=j,u}function yr(e,t,s,r,o){var i,c,a,u,d,l,m,h,p,f=s.length,j=f,_=0,g=0,y=e.__k=Array(o);for(i=0;i<o;i++)(c=t[i])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=y[i]=ye(null,c):tt(c)?c=y[i]=ye(Le,{children:c}):c.constructor===be&&c.__b?c=y[i]=ye(c.type,c.props,c.key,c.ref,c.__v):y[i]=c,u=i+_,c.__=e,c.__b=e.__b+1,a=null,~(d=c.__i=br(c,s,u,j))&&(j--,(a=s[d])&&(a.__u|=2)),a&&a.__v?(c.__u|=16,d==u-1?_--:d==u+1?_++:d!=u&&(d>u?_--:_++,g=1)):(~d||(o>f?_--:o<f&&_++),typeof c.type!="function"&&(c.__u|=4))):y[i]=null;if(g){for(l=[],m=[],i=0;i<o;i++)if((c=y[i])&&16&c.__u){for(_=0,h=l.length;_<h;)l[p=_+h>>1]<c.__i?_=p+1:h=p;l[_]=c.__i,m[i]=_+1}for(_=l.length;i--;)m[i]&&(m[i]==_?_--:y[i].__u|=4)}if(j)for(i=0;i<f;i++)!(a=s[i])||2&a.__u||(a.__e==r&&(r=X(a)),it(a,a));return r}function ls(e,t,s,r){var o,i,c,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&(o[i].__=e,t=ls(o[i],t,s,!1));return t}for(t&&!t.parentNode&&(t=X(e))&&!t.parentNode&&(t=null),c=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(c!=a&&(!r&&s.moveBefore&&c.parentNode?s.moveBefore(c,t):s.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function br(e,t,s,r){var o,i=e.key,c=e.type,a=t[s],u=a&&!(2&a.__u);if(a===null&&i==null||u&&i==a.key&&c==a.type)return s;if(r>(u?1:0)){for(o=s-1;o>=0;o--)if((a=t[o])&&!(2&a.__u)&&i==a.key&&c==a.type)return o;for(o=s+1;o<t.length;o++)if((a=t[o])&&!(2&a.__u)&&i==a.key&&c==a.type)return o}return-1}function ts(e,t,s){s==null&&(s=""),t[0]=="-"?e.setProperty(t,s):e[t]=s}function Pe(e,t,s,r,o){var i,c;if(t=="style")if(typeof s=="string")e.style.cssText=s;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)s&&t in s||ts(e.style,t);if(s)for(t in s)r&&s[t]==r[t]||ts(e.style,t,s[t])}else if(t[0]=="o"&&t[1]=="n")typeof s!="function"&&(s=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=s,s&&r||(c=Qe[t]||(Qe[t]=vr(t)),(e.__a||(e.__a={}))[t]=et,i=t!=(t=t.replace(os,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),s?e.addEventListener(t,c,i):e.removeEventListener(t,c,i));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=s??"")}catch{}if(typeof s=="function")return;s==null||s===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&s==1?"":s)}}function vr(e){return function(t){var s=this.__e;if(s){if(s=s[e],t[Te]==null)t[Te]=et++;else if(t[Te]<this.__a[e])return;return s(E.event?E.event(t):t)}}}function rt(e,t,s,r,o,i,c,a,u,d){var l,m,h,p,f,j,_,g,y,R,O,Ge,Xt,Ae,re,Qt,Z,oe,J=t.type;if(t.constructor!==be)return null;128&s.__u&&(u=32&s.__u,l=s.__c.__z)&&(t.__u|=u,m=i=[],l.nodeType==8?a=Ie(l,i):i.push(l),a=i[0]||a),(l=E.__b)&&l(t);e:if(typeof J=="function"){h=c.length;try{if(g=t.props,y=(l=J.prototype)&&l.render,R=(l=J.contextType)&&r[l.__c],O=l?R?R.props.value:l.__:r,(p=s.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(y?t.__c=p=new J(g,O):(t.__c=p=new ae(g,O),p.constructor=J,p.render=Sr),R&&R.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),y&&(p.__s||(p.__s=p.state),J.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=ne({},p.__s)),ne(p.__s,J.getDerivedStateFromProps(g,p.__s)))),f=p.props,j=p.state,p.__v=t,s.__c){if(g!==f&&y&&!J.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(g,O),t.__v==s.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(g,p.__s,O)===!1){t.__v!=s.__v&&(p.props=g,p.state=p.__s,p.__g&=-9),t.__e=s.__e,t.__k=s.__k,t.__k.some(function(U){U&&(U.__=t)}),Ne.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&c.push(p),a=X(s);break e}p.componentWillUpdate&&p.componentWillUpdate(g,p.__s,O),y&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(f,j,_)})}else y&&!J.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),y&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=O,p.props=g,p.__P=e,p.__g&=-5,Ge=E.__r,Xt=y?25:0;do p.__g&=-9,Ge&&Ge(t),l=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++Xt<25);y&&(Ne.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=ne({},r,p.getChildContext())),y&&s.__c&&p.getSnapshotBeforeUpdate&&(_=p.getSnapshotBeforeUpdate(f,j)),Ae=l&&l.type===Le&&l.key==null?l.props.children:l,g.__P&&(l=a,o=(e=g.__P).namespaceURI,u=i=null,s.props&&s.props.__P!=e&&(s.__k.some(function(U){U&&it(U,U)}),s.__k=null),a=s.__k?X(s,0):null),a=cs(e,tt(Ae)?Ae:[Ae],t,s,r,o,i,c,a,u,d),g.__P&&(t.__e=null,a=l),t.__u&=-161,m&&m.some(ie),p.__h.length&&c.push(p),1&p.__g&&(p.__g&=-4)}catch(U){if(c.length=h,t.__v=null,u||i)if(U&&U.then){if(t.__u|=128|u,i){for(~(Z=i.indexOf(a||void 0))||(Z=i.length);(oe=i[Z-1])&&oe.nodeType==8;)Z--;for(;Z<i.length;Z++)if(oe=i[Z])if(i[Z]=null,re){if(oe==Qt)break}else{if(oe.nodeType!=8)break;oe.data.startsWith("$s")&&(Qt=Ie(re=oe))}}if(!re){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;re=a}(l=Ie(re=t.__c.__z||(t.__c.__z=re)))?(t.__e=re,a=l):t.__e=a,a=a&&a.nextSibling}else i&&i.some(ie);else t.__e=s.__e;t.__k||(t.__k=s.__k||[]),U&&U.then||us(t),E.__e(U,t,s)}}else a=t.__e=xr(s.__e,t,s,r,o,i,c,u,d,e);return(l=E.diffed)&&l(t),a}function Ie(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var s=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))s++;else if(e.data.startsWith("/$s")&&!--s)return e}t&&t.push(e)}}function us(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(us))}function ps(e,t,s){for(var r=0;r<s.length;)ot(s[r++],s[r++],s[r++]);E.__c&&E.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(i){i.call(o)})}catch(i){E.__e(i,o.__v)}})}function xr(e,t,s,r,o,i,c,a,u,d){var l,m,h,p,f,j,_,g,y=s.props||Me,R=t.props,O=t.type;if(O=="svg"?o="http://www.w3.org/2000/svg":O=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),i){for(l=0;l<i.length;l++)if((f=i[l])&&(O?f.localName==O:f.nodeType==3)){e=f,i[l]=null;break}}if(!e){if(g=d.ownerDocument||document,!O)return g.createTextNode(R);e=g.createElementNS(o,O,R.is?R:d),a&&(E.__m&&E.__m(t,i),a=!1),i=null}if(O){if(d=O=="template"&&e.content||e,i=O=="textarea"&&R.defaultValue!=null?null:i&&st.call(d.childNodes),!a&&i)for(y={},l=0;l<e.attributes.length;l++)y[(f=e.attributes[l]).name]=f.value;for(l in y)f=y[l],l=="dangerouslySetInnerHTML"?h=f:l=="children"||l in R||l=="value"&&"defaultValue"in R||l=="checked"&&"defaultChecked"in R||Pe(e,l,null,f,o);for(l in R)f=R[l],l=="children"?p=f:l=="dangerouslySetInnerHTML"?m=f:l=="value"?j=f:l=="checked"?_=f:a&&typeof f!="function"||y[l]===f||Pe(e,l,f,y[l],o);m?(a||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(O=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&wr.test(O))&&(o="http://www.w3.org/1999/xhtml"),cs(d,tt(p)?p:[p],t,s,r,o,i,c,i?i[0]:s.__k&&X(s,0),a,u),i&&i.some(ie)),a&&O!="textarea"||(l="value",O=="progress"&&j==null?e.removeAttribute(l):j==null||j===e[l]&&(O!="progress"||j)||Pe(e,l,j,y[l],o),l="checked",_!=null&&_!=e[l]&&Pe(e,l,_,y[l],o))}else y===R||a&&e.data==R||(e.data=R);return e}function ot(e,t,s,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){E.__e(o,s)}}function it(e,t,s){var r,o,i,c;if(E.unmount&&E.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||ot(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){E.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(c=0;c<r.length;c++)r[c]&&it(r[c],t,typeof e.type!="function"||s&&!e.props.__P);!s&&(r=e.__c)&&(r=r.__z)&&(o=Ie(r,i=[]))&&(r==e.__e&&i.some(ie),ie(o),ie(r)),s||ie(e.__e),e.__e=e.__c=e.__=null}function Sr(e,t,s){return this.constructor(e,s)}function nt(e,t){var s,r,o,i;E.__&&E.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(s=e&&32&e.__u)?null:t.__k,t.__k=ye(Le,{children:[e]}),o=[],i=[],rt(t,t.__k,r||Me,Me,t.namespaceURI,r?null:t.firstChild?st.call(t.childNodes):null,o,r?r.__e:t.firstChild,s,i),ps(o,t.__k,i),t.__k.props.children=null}E={__e:function(e,t,s,r){for(var o,i,c;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((c=(i=o.constructor)&&i.getDerivedStateFromError)&&o.setState(i.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),c=1),c&&8&o.__g)return void(o.__g|=2)}catch(a){e=a}}throw Re=0,e}},ss=0,fr=function(e){return e!=null&&e.constructor===be},ae.prototype.setState=function(e,t){var s=this.__s;s&&s!=this.state||(s=this.__s=ne({},this.state)),typeof e=="function"&&(e=e(ne({},s),this.props)),e&&(ne(s,e),this.__v&&(t&&this.__k.push(t),es(this)))},ae.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),es(this))},ae.prototype.render=Le,G=[],Re=0,rs=function(e,t){return e.__v.__b-t.__v.__b},Te=Symbol(),os=/(PointerCapture)$|Capture$/i,et=0,Qe={},gr=0;var hs=function(e,t,s,r){var o;t[0]=0;for(var i=1;i<t.length;i++){var c=t[i++],a=t[i]?(t[0]|=c?1:2,s[t[i++]]):t[++i];c===3?r[0]=a:c===4?r[1]=Object.assign(r[1]||{},a):c===5?(r[1]=r[1]||{})[t[++i]]=a:c===6?r[1][t[++i]]+=a+"":c?(o=e.apply(a,hs(e,a,s,["",null])),r.push(o),a[0]?t[0]|=2:(t[i-2]=0,t[i]=o)):r.push(a)}return r},ds=new Map;function ms(e){var t=ds.get(this);return t||(t=new Map,ds.set(this,t)),(t=hs(this,t.get(e)||(t.set(e,t=(function(s){for(var r,o,i=1,c="",a="",u=[0],d=function(h){i===1&&(h||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,h,c):i===3&&(h||c)?(u.push(3,h,c),i=2):i===2&&c==="..."&&h?u.push(4,h,0):i===2&&c&&!h?u.push(5,0,!0,c):i>=5&&((c||!h&&i===5)&&(u.push(i,0,c,o),i=6),h&&(u.push(i,h,0,o),i=6)),c=""},l=0;l<s.length;l++){l&&(i===1&&d(),d(l));for(var m=0;m<s[l].length;m++)r=s[l][m],i===1?r==="<"?(d(),u=[u],i=3):c+=r:i===4?c==="--"&&r===">"?(i=1,c=""):c=r+c[0]:a?r===a?a="":c+=r:r==='"'||r==="'"?a=r:r===">"?(d(),i=1):i&&(r==="="?(i=5,o=c,c=""):r==="/"&&(i<5||s[l][m+1]===">")?(d(),i===3&&(u=u[0]),i=u,(u=u[0]).push(2,0,i),i=0):r===" "||r==="	"||r===`
`||r==="\r"?(d(),i=2):c+=r),i===3&&c==="!--"&&(i=4,u=u[0])}return d(),u})(e)),t),arguments,[])).length>1?t:t[0]}var pe,M,at,fs,ct=Object.is,xe=0,Es=[],lt=[],T=E,gs=T.__b,ws=T.__r,_s=T.diffed,ys=T.__c,bs=T.unmount,vs=T.__;function Be(e,t){T.__h&&T.__h(M,e,xe||t),xe=0;var s=M.__H||(M.__H={__:[],__h:[]});return e>=s.__.length&&s.__.push({}),s.__[e]}function w(e){return xe=1,Er(Cs,e)}function Er(e,t,s){var r=Be(pe++,2);if(r.t=e,!r.__c&&(r.__=[s?s(t):Cs(void 0,t),function(i){var c=(r.__N||r.__)[0],a=r.t(c,i);ct(c,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=M,!M.__f)){M.__f=!0;var o=M.shouldComponentUpdate;M.shouldComponentUpdate=function(i,c,a){var u=this.__H;if(!u)return!0;var d=!1,l=this.props!=i;if(u.__.some(function(h){h.__N&&(d=!0,ct(h.__[0],h.__N[0])||(l=!0))}),o){var m=o.call(this,i,c,a);return d?m||l:m}return!d||l}}return r.__}function x(e,t){var s=Be(pe++,3);!T.__s&&pt(s.__H,t)&&(s.__P=!0,s.__=e,s.u=t,M.__H.__h.push(s))}function Se(e,t){var s=Be(pe++,4);!T.__s&&pt(s.__H,t)&&(s.__P=!1,s.__=e,s.u=t,M.__h.push(s))}function k(e){return xe=5,Ee(function(){return{current:e}},[])}function Ee(e,t){var s=Be(pe++,7);return pt(s.__H,t)&&(s.__=e(),s.__H=t),s.__}function De(e,t){return xe=8,Ee(function(){return e},t)}function Cr(){var e;do{for(;e=lt.shift();)try{ve(e)}catch(s){T.__e(s,{__:(e=e.__P)&&e.__v})}for(;e=Es.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ve),t.__h.some(ut),t.__h=[]}catch(s){t.__h=[],T.__e(s,e.__v)}}}while(lt.length)}T.__b=function(e){M=null,gs&&gs(e)},T.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),vs&&vs(e,t)},T.__r=function(e){ws&&ws(e),pe=0;var t=(M=e.__c).__H;t&&(at==M?M.__h=[]:(t.__h.some(ve),t.__h.some(ut),pe=0),t.__h=[],t.__.some(function(s){s.__N&&(s.__=s.__N),s.u=s.__N=void 0})),at=M},T.diffed=function(e){_s&&_s(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ss(Es.push(t)),t.__H.__.some(function(s){s.u&&(s.__H=s.u)})),at=M=null},T.__c=function(e,t){t.some(function(s){try{s.__h.some(ve),s.__h=s.__h.filter(function(r){return!r.__||ut(r)})}catch(r){s.__h=[function(){throw r}]}}),ys&&ys(e,t)},T.unmount=function(e){bs&&bs(e);var t,s,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(s===void 0){for(s=e.__;s&&(!s.__c||!s.__c.__P);)s=s.__;s=s&&s.__c}o.__P=s,Ss(lt.push(o))}else ve(o)}catch(i){t=i}}),r.__H=void 0,t&&T.__e(t,r.__v))};var xs=typeof requestAnimationFrame=="function";function kr(e){var t,s=function(){clearTimeout(r),xs&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(s,35);xs&&(t=requestAnimationFrame(s))}function Ss(e){e!=1&&fs==T.requestAnimationFrame||((fs=T.requestAnimationFrame)||kr)(Cr)}function ve(e){var t=M,s=e.__c;typeof s=="function"&&(e.__c=void 0,s()),M=t}function ut(e){var t=M;e.__c=e.__(),M=t}function pt(e,t){return!e||e.length!=t.length||t.some(function(s,r){return!ct(s,e[r])})}function Cs(e,t){return typeof t=="function"?t(e):t}var n=ms.bind(is);var q=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let s of[...this.#e])s(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function v(e){let[t,s]=w(e.value);return x(()=>(s(e.value),e.watch(s)),[e]),t}var dt=null;function ht(){let[e,t=""]=location.hash.split("?"),s=new URLSearchParams(t);s.has("key")&&(dt=s.get("key"),s.delete("key"),history.replaceState(null,"",`${e}${s.size?`?${s}`:""}`))}function ks(){let e=dt;return dt=null,e}ht();var I=new q(mt(location.hash));addEventListener("hashchange",()=>{ht(),I.set(mt(location.hash))});function b(e,t="",s=[],r={}){let o=[e,t,...s].filter(Boolean).map(encodeURIComponent).join("/"),i=Object.entries(r).filter(([,a])=>a!=null&&a!==""),c=new URLSearchParams(i).toString();return`#/${o}${c&&`?${c}`}`}function $(e){let{area:t,view:s,values:r,query:o}=I.value;history.replaceState(null,"",b(t,s,r,{...o,...e})),I.set(mt(location.hash))}function mt(e){let[t,s=""]=e.replace(/^#\/?/,"").split("?"),[r="",o="",...i]=t.split("/").map(ft);return{area:r||"start",view:o,values:i,query:Object.fromEntries(new URLSearchParams(s))}}function ft(e){try{return decodeURIComponent(e)}catch{return e}}var gt=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!gt.ok)throw new Error(`service.json: ${gt.status}`);var N=await gt.json(),jr=new Map(N.operations.map(e=>[e.name,e])),$r=N.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function ce(e){return jr.get(e)}function js(e,t){let s=e.path,r=new URLSearchParams;for(let[i,{path:c}]of Object.entries(e.arguments)){let a=t[i];c?s=s.replace(`{${c}}`,encodeURIComponent(a)):Os(a)||r.set(i,a)}let o=r.toString();return`/api/v1${s}${o&&`?${o}`}`}function $s(e,t){let s=Object.entries(e.arguments).filter(([r])=>!Os(t[r]));return Object.fromEntries(s.map(([r,{type:o}])=>[r,Or(t[r],o)]))}function de(e){if(!e?.startsWith("/api/v1/"))return null;let[t,s=""]=e.split("?");for(let[r,o]of $r){let i=r.exec(t);if(i)return{operation:o,values:i.slice(1).map(ft),query:new URLSearchParams(s)}}return null}function Os(e){return e==null||e===""}function Or(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var Ar=60,Pr=12,me=null,le=new Map,W=new q(!1),ze=new q(null),fe=new q(null),he=new q(0),ue=new q([]);function _t(e){Ce(),me=e,W.set(!0),Y("get_context").catch(()=>{})}function Ce(){me=null,le.clear(),ze.set(null),fe.set(null),ue.set([]),W.set(!1)}var wt=class extends Error{constructor(t){super(t.body?.error?.message??"The service did not respond."),this.exchange=t,this.status=t.status,this.retryAt=Date.now()+1e3*(t.retryAfter??0)}};async function Y(e,t={},s=void 0){let r=ce(e),o=js(r,t),i=le.get(o),c=me,a=performance.now(),u={operation:r,args:t,path:o,status:0,milliseconds:0,body:null,etag:null},d;he.set(he.value+1);try{d=await fetch(o.slice(1),{headers:Tr(i),cache:"no-store",signal:s}),u.status=d.status,u.body=d.status===304?i.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{he.set(he.value-1)}if(me!==c)throw new DOMException("The key has changed.","AbortError");if(u.milliseconds=Math.round(performance.now()-a),d&&Ir(u,d),ue.set([u,...ue.value].slice(0,Pr)),u.status!==200&&u.status!==304)throw new wt(u);return u.body.data.grantedScopes&&fe.set(u.body.data.grantedScopes),Rr(o,u),u}function Tr(e){return{Accept:"application/json",...me&&{Authorization:`Bearer ${me}`},...e&&{"If-None-Match":e.etag}}}function Ir(e,{headers:t}){let s=r=>t.has(r)?Number(t.get(r)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),e.retryAfter=s("Retry-After"),t.has("RateLimit-Limit")&&(e.quota={limit:s("RateLimit-Limit"),remaining:s("RateLimit-Remaining"),resetAt:Date.now()+1e3*s("RateLimit-Reset")},ze.set(e.quota))}function Rr(e,{etag:t,body:s}){le.delete(e),le.set(e,{etag:t,body:s}),le.size>Ar&&le.delete(le.keys().next().value)}var Fe={body:null,error:null,isLoading:!1};function A(e,t){let[s,r]=w({...Fe,isLoading:t!==null}),[o,i]=w(0),c=v(W),a=t&&JSON.stringify(t);x(()=>{if(a===null||!c)return r(Fe);let d=new AbortController;return r(l=>({...l,error:null,isLoading:!0})),Y(e,JSON.parse(a),d.signal).then(({body:l})=>r({...Fe,body:l,asked:a}),l=>l.name!=="AbortError"&&r({...Fe,error:l})),()=>d.abort()},[e,a,o,c]);let u=De(()=>i(d=>d+1),[]);return{...s,retry:u}}function Q(e,t,s){let[r,o]=w({bodies:[],error:null,isLoading:!0,following:null}),i=k(null),c=JSON.stringify(t),a=De((d,l,m)=>{o({bodies:m,error:null,isLoading:!0,following:l}),Y(e,l,d.signal).then(({body:h})=>o({bodies:[...m,h],error:null,isLoading:!1,following:s(h,l)}),h=>h.name!=="AbortError"&&o({bodies:m,error:h,isLoading:!1,following:l}))},[e]);x(()=>(i.current=new AbortController,a(i.current,JSON.parse(c),[]),()=>i.current.abort()),[a,c]);let u=()=>{!r.isLoading&&r.following&&a(i.current,r.following,r.bodies)};return{...r,hasMore:r.following!==null,more:u}}function ee(e,t=250){let[s,r]=w(e);return x(()=>{let o=setTimeout(()=>r(e),t);return()=>clearTimeout(o)},[e,t]),s}function ge(e){let[t,s]=w({module:null});if(x(()=>{e().then(r=>s({module:r}),r=>s({error:r}))},[]),t.error)throw t.error;return t.module}function As(e,t){let s=k(null),r=k(e);return r.current=e,x(()=>{if(!t||!s.current)return;let o=new IntersectionObserver(i=>i.some(c=>c.isIntersecting)&&r.current(),{rootMargin:"400px"});return o.observe(s.current),()=>o.disconnect()}),s}function Ps(e){x(()=>()=>ue.set([]),[e])}var Ts=/^octx_[0-9A-Za-z]{40}$/,Is="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.",yt="";function Rs(){let e=()=>{let t=ks();t!==null&&(yt=Ts.test(t)?"":Is,yt||_t(t))};e(),I.watch(e)}function we({onDone:e,action:t="Explore"}){let s=k(null),[r,o]=w(yt);return n`<form class="key" onSubmit=${c=>{c.preventDefault();let a=s.current.value.trim();return s.current.value="",Ts.test(a)?(o(""),_t(a),e?.()):o(Is)}} autocomplete="off">
    <label>API key
      <input ref=${s} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${r?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${r?n`<span class="error" role="alert">${r}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var Mr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),Nr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Lr=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Br=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Dr=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),zr=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),Fr=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],F=e=>Mr.format(new Date(e)),K=e=>Nr.format(new Date(e)),bt=e=>Lr.format(new Date(e)),Ve=e=>Dr.format(e),L=e=>zr.format(e),vt=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function Ms(e){let[t,s]=zs(vt(e));return Br.format(-s,t)}function Ns(e){let[t,s]=zs(e*1.001);return`${s} ${t}${s===1?"":"s"}`}function ke(e){let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),s=e/1e3**t;return`${t&&s<10?s.toFixed(1):Math.round(s)} ${["B","kB","MB","GB","TB"][t]}`}function Ls(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var Bs=e=>e.replace(/\B(?=(\d{3})+$)/g," "),Ds=e=>e.replaceAll("_"," ");function zs(e){let[t,s]=Fr.find(([,r])=>e>=r)??["second",1];return[t,Math.floor(e/s)]}var Fs={current:n`<circle cx="8" cy="8" r="5" />`,available:n`<circle cx="8" cy="8" r="5" />`,ready:n`<circle cx="8" cy="8" r="5" />`,stale:n`<path d="M8 2.5 14 13H2Z" />`,collecting:n`<path d="M8 2.5 14 13H2Z" />`,synthetic:n`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:n`<path d="M3.5 3.5h9v9h-9Z" />`,error:n`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:n`<circle class="hollow" cx="8" cy="8" r="4.5" />`},qs={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function je({status:e,...t}){let s=qs[e]??e;return n`<svg class="shape tone-${s}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${Fs[e]??Fs.not_connected}
  </svg>`}function _e({status:e}){return n`<span class="status tone-${qs[e]??e}"><${je} status=${e} />${Ds(e)}</span>`}function P({at:e,children:t}){return e?n`<time datetime=${e} title=${K(e)}>${t??Ms(e)}</time>`:n`<span class="quiet">never</span>`}var St=e=>new RegExp(`(${e.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");function V({text:e,term:t}){return t?e.split(St(t)).map((s,r)=>r%2?n`<mark>${s}</mark>`:s):e}function D({meta:e}){let{status:t,updatedAt:s,note:r}=e.freshness;return n`<p class="freshness">
    <${_e} status=${t} />
    ${s&&n`<span>updated <${P} at=${s} /></span>`}
    ${r&&n`<span class="quiet" dir="auto">${r}</span>`}
  </p>`}function te({pagination:e,page:t,onPage:s}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:r,total:o,hasNextPage:i}=e;return n`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>s(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(r,1)} <span class="quiet">· ${o} in all</span></span>
    <button type="button" disabled=${!i} onClick=${()=>s(t+1)}>Next</button>
  </nav>`}function Ue({text:e,label:t="Copy"}){let[s,r]=w(!1),o=async()=>{await navigator.clipboard.writeText(e),r(!0),setTimeout(r,1600,!1)};return navigator.clipboard?n`<button type="button" class="copy" onClick=${o}>
    <span aria-live="polite">${s?"Copied":t}</span>
  </button>`:null}function qe({text:e,label:t}){return n`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${Ue} text=${e} />
  </div>`}function S(){return n`<p class="loading" role="status">Loading …</p>`}function B({children:e}){return n`<p class="empty">${e}</p>`}function C({error:e,retry:t,isWhole:s}){let{status:r}=e,o=Vs[r]??Vs[r>=500||r===0?503:400];return n`<div class="trouble" role="alert">
    ${s?n`<h1>${o.title}</h1>`:n`<h2>${o.title}</h2>`}
    <p dir="auto">${e.message}</p>
    <p>${o.what}</p>
    <p class="actions">
      ${r===401&&n`<button type="button" onClick=${Ce}>Use another key</button>`}
      ${r===429&&n`<${Vr} until=${e.retryAt} retry=${t} />`}
      ${(r===0||r>=500)&&n`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&n`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Vs={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work",what:"It may be mistyped, expired or revoked, or its issuer is no longer an owner or admin. Ask an owner or admin for a new one."},403:{title:"This key lacks a scope",what:"An owner or admin can add the scope to the key; the key itself stays the same."},404:{title:"Not found",what:"It does not exist, or no approved source of this key exposes it."},409:{title:"The stored data is for another account",what:"It was collected for another account than the one connected now. An owner can collect it again."},429:{title:"Too many requests",what:"Wait until the time below has passed."},503:{title:"The service is unavailable",what:"No data is lost. Wait a moment and try again."}};function Vr({until:e,retry:t}){let[s,r]=w(()=>Us(e));return x(()=>{let o=setInterval(()=>r(Us(e)),250);return()=>clearInterval(o)},[e]),n`<button type="button" disabled=${s>0} onClick=${t}>
    ${s>0?`Try again in ${s} s`:"Try again"}
  </button>`}var Us=e=>Math.max(0,Math.ceil((e-Date.now())/1e3)),xt=new q(null);function Et(e){xt.set(e)}function z({url:e,children:t}){return n`<button type="button" class="outbound" dir="auto" onClick=${()=>Et(e)}>${t??e}</button>`}function Ws(){let e=v(xt),t=k(null);x(()=>{e&&t.current.showModal()},[e]);let s=()=>t.current.close(),r=/^(https?|mailto):/i.test(e??"");return n`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>xt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${r&&n`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${s}>Open in a new tab</a>`}
      <${Ue} text=${e??""} label="Copy address" />
      <button type="button" onClick=${s}>Close</button>
    </p>
  </dialog>`}var We={curl:{title:"curl",text:qr},mcp:{title:"MCP",text:Wr},python:{title:"Python",text:Yr},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function Ye({operations:e}){let t=v(ue),[s,r]=w(null),[o,i]=w("curl");if(x(()=>r(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),a=s??t.reduce((d,l)=>c(l)>c(d)?l:d),u=()=>Y(a.operation.name,a.args).catch(()=>{});return n`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${a.path}</code>
        <${Ur} exchange=${a} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&n`<label class="field">Request
          <select value=${t.indexOf(a)} onChange=${d=>r(t[d.target.value])}>
            ${t.map((d,l)=>n`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${a.status===304?"304, unchanged":a.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${a.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${a.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${a.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(We).map(([d,{title:l}])=>n`<button type="button" aria-pressed=${o===d} onClick=${()=>i(d)}>${l}</button>`)}
          <span class="spread"></span>
          <button type="button" class="again" onClick=${u}>Send again</button>
          <${Ue} text=${We[o].text(a)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${We[o].title}><code>${We[o].text(a)}</code></pre>
      </div>
    </details>
  </section>`}function Ur({exchange:{status:e,milliseconds:t}}){return n`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function Ys(){let e=v(ze),[t,s]=w(Date.now());if(x(()=>{let a=setInterval(()=>s(Date.now()),1e3);return()=>clearInterval(a)},[]),!e)return null;let r=e.resetAt<=t,o=r?e.limit:e.remaining,i=Math.ceil((e.resetAt-t)/1e3),c=r?"A new minute has begun; all requests are left.":`Resets in ${i} s`;return n`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${o} aria-label="Requests left"></meter>
    <span>${o} of ${e.limit} left</span>
  </span>`}function qr({path:e}){return`curl -sS '${Js(e)}' \\
  -H "Authorization: Bearer $${N.variable}"`}function Wr({operation:e,args:t}){let s={name:e.name,arguments:$s(e,t)},r=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:s},null,2);return`curl -sS '${N.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${N.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${r}
EOF`}function Yr({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${Js(e)}",
    headers={"Authorization": f"Bearer {os.environ['${N.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var Js=e=>`${N.baseUrl}${e.replaceAll("'","%27")}`;var Hs="./icon-KB2SD46C.svg";var At={};H(At,{Activity:()=>Ot,operations:()=>to,shows:()=>so});var Ks=190,Hr=76,Kr=[1,2,5].flatMap(e=>Array.from({length:12},(t,s)=>e*10**s)).sort((e,t)=>e-t),Zr=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Je=matchMedia("(prefers-color-scheme: dark)");function Ct({weeks:e,counts:t,unit:s}){return n`<figure class="chart">
    <${Xr} weeks=${e} counts=${t} />
    <figcaption><p role="status">${Gr(e,t,s)}</p></figcaption>
    <details class="more">
      <summary>As a table</summary>
      <table class="simple">
        <thead><tr><th scope="col">Week from</th><th scope="col">${s}</th></tr></thead>
        <tbody>${e.map(({start:r},o)=>n`<tr><th scope="row">${F(r)}</th>
          <td>${t[o]===null?n`<span class="quiet">not counted</span>`:L(t[o])}</td></tr>`)}</tbody>
      </table>
    </details>
  </figure>`}function Gr(e,t,s){let r=t.filter(a=>a!==null);if(!r.length)return"No week is counted.";let o=Math.max(...r),i=L(r.reduce((a,u)=>a+u,0)),c=o?` The most, ${L(o)}, in the week from ${F(e[t.indexOf(o)].start)}.`:"";return`${i} ${s} in ${r.length} ${r.length===1?"week":"weeks"}.${c}`}function Xr({weeks:e,counts:t}){let s=k(null),r=ge(()=>import("./uplot-FFLBSSUY.js")),o=eo(),i=[e.map(({start:c})=>c/1e3),t];return x(()=>{if(!r)return;let c=s.current,a=new r.uPlot(Qr(r.uPlot,c),i,c),u=new ResizeObserver(()=>a.setSize({width:c.clientWidth,height:Ks}));return u.observe(c),()=>{u.disconnect(),a.destroy()}},[r,o,JSON.stringify(i)]),n`<div class="plot" dir="ltr" ref=${s} aria-hidden="true"></div>`}function Qr(e,t){let s=c=>getComputedStyle(t).getPropertyValue(c),r={stroke:s("--quiet"),font:`13px ${s("--sans")}`,ticks:{show:!1}},o=302400,i=({width:c,data:[a]})=>a.filter((u,d)=>(a.length-1-d)%Math.ceil(a.length*Hr/c)===0);return{width:t.clientWidth,height:Ks,legend:{show:!1},cursor:{show:!1},scales:{x:{range:(c,a,u)=>[a-o,u+o]},y:{range:(c,a,u)=>[0,Math.max(4,u*1.1)]}},axes:[{...r,size:34,grid:{show:!1},splits:i,values:(c,a)=>a.map(u=>Zr.format(1e3*u))},{...r,grid:{stroke:s("--line"),width:1},incrs:Kr,values:(c,a)=>a.map(L)}],series:[{},{fill:s("--accent"),stroke:s("--accent"),width:0,points:{show:!1},paths:e.paths.bars({size:[.7,48]})}]}}function eo(){let[e,t]=w(Je.matches);return x(()=>{let s=()=>t(Je.matches);return Je.addEventListener("change",s),()=>Je.removeEventListener("change",s)},[]),e}function kt(e,t){let s=new Date(e);s.setHours(0,0,0,0),s.setDate(s.getDate()-(s.getDay()+6)%7);let r=o=>{let i=new Date(s);return i.setDate(i.getDate()+7*o),i};return Array.from({length:t},(o,i)=>({start:r(i-t+1),end:r(i-t+2)}))}function jt(e,t,s){let r=t.map(o=>new Date(o));return e.map(({start:o,end:i})=>o<s?null:r.filter(c=>c>=o&&c<i).length)}var to=["list_telegram_chats","list_telegram_messages","list_x_mentions"],so=()=>"messages and mentions per week",Gs=12,$t=10,Zs=100;function Ot(){let e=v(fe),t=s=>!e||ce(s).scopes.some(r=>e.includes(r));return n`
    <h1>Activity</h1>
    ${t("list_telegram_messages")&&n`<${ro} />`}
    ${t("list_x_mentions")&&n`<${io} />`}
    <section aria-labelledby="history">
      <h2 id="history">Freshness</h2>
      <p class="quiet">The API gives the last update of each source and no earlier ones, so there is no history to draw.
        The <a href=${b("explore")}>overview</a> shows how old each source is.</p>
    </section>
  `}function ro(){let{query:e}=v(I),{body:t,error:s,retry:r}=A("list_telegram_chats",{}),o=t?.data.find(i=>i.id===e.chat)??t?.data[0];return n`<section aria-labelledby="messages">
    <h2 id="messages">Messages per week</h2>
    ${s&&n`<${C} error=${s} retry=${r} />`}
    ${!t&&!s&&n`<${S} />`}
    ${t&&!o&&n`<${B}>No linked chat is approved.<//>`}
    ${o&&n`
      <div class="filters"><label class="field wide">Chat
        <select value=${o.id} onChange=${i=>$({chat:i.target.value})}>
          ${t.data.map(({id:i,title:c})=>n`<option value=${i}>${c}</option>`)}
        </select></label></div>
      <${oo} key=${o.id} chat=${o} />`}
  </section>`}function oo({chat:e}){let[t,s]=w($t),{bodies:r,error:o,isLoading:i,hasMore:c,more:a}=Q("list_telegram_messages",{chatId:e.id,limit:Zs},({pagination:p},f)=>p.hasMore?{...f,before:p.nextBefore}:null),u=kt(e.lastMessageAt??Date.now(),Gs),d=r.flatMap(({data:p})=>p.map(({sentAt:f})=>f)),l=new Date(d.at(-1)??Date.now()),m=c&&l>u[0].start,h=m&&!i&&!o&&r.length<t;return x(()=>{h&&a()},[h,r.length]),o?n`<${C} error=${o} retry=${a} />`:i||h?n`<${S} />`:n`
    <${Ct} weeks=${u} counts=${jt(u,d,m?l:0)} unit="messages" />
    ${m&&n`<p class="actions"><span class="quiet">The newest ${d.length} messages are counted.</span>
      <button type="button" onClick=${()=>s(r.length+$t)}>Count ${$t*Zs} more</button></p>`}
  `}function io(){let{body:e,error:t,retry:s}=A("list_x_mentions",{page:1}),r=e?.data[0]?.createdAt;return n`<section aria-labelledby="mentions">
    <h2 id="mentions">Mentions per week</h2>
    ${t&&n`<${C} error=${t} retry=${s} />`}
    ${!e&&!t&&n`<${S} />`}
    ${e&&!r&&n`<${B}>No post is stored.<//>`}
    ${r&&n`<${no} key=${r} newest=${e} />`}
  </section>`}function no({newest:{data:e,pagination:t}}){let s=kt(e[0].createdAt,Gs),r=!t.hasNextPage,{counts:o,error:i,retry:c}=ao(r?[]:s,t.total);if(i)return n`<${C} error=${i} retry=${c} />`;let a=r?jt(s,e.map(({createdAt:u})=>u),0):o;return a?n`<${Ct} weeks=${s} counts=${a} unit="mentions" />`:n`<${S} />`}function ao(e,t){let[s,r]=w({counts:null,error:null}),[o,i]=w(0);return x(()=>{let c=new AbortController;return co(e,t,c.signal).then(a=>r({counts:a,error:null}),a=>a.name!=="AbortError"&&r({counts:null,error:a})),()=>c.abort()},[o]),{...s,retry:()=>i(o+1)}}async function co(e,t,s){let r=e.map(()=>0),o=t;for(let i=e.length-1;i>=0&&o>0;i-=1){let{start:c,end:a}=e[i],u={after:c.toISOString(),before:a.toISOString(),page:1},{body:d}=await Y("list_x_mentions",u,s);r[i]=d.pagination.total,o-=r[i]}return r}var Tt={};H(Tt,{Assets:()=>Pt,operations:()=>lo,shows:()=>uo});var lo=["list_assets","read_asset"],uo=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",po=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function Pt({values:e}){return n`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${Xs} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?n`<${mo} id=${e[0]} />`:n`<${B}>Select a file or a folder.<//>`}</div>
    </div>
  `}function Xs({id:e,isRoot:t,chosen:s}){let{bodies:r,error:o,isLoading:i,hasMore:c,more:a}=Q("list_assets",{folderId:e},po),u=r.flatMap(d=>d.data);return n`
    ${o&&n`<${C} error=${o} retry=${a} />`}
    ${!i&&!o&&!u.length&&n`<p class="quiet">Empty.</p>`}
    <ul>${u.map(d=>n`<${ho} key=${d.id} asset=${d} chosen=${s} />`)}</ul>
    ${i&&n`<${S} />`}
    ${c&&!i&&n`<button type="button" class="more" onClick=${a}>Load more</button>`}
    ${t&&r[0]&&n`<${D} meta=${r[0].meta} />`}
  `}function ho({asset:e,chosen:t}){let[s,r]=w(!1),o=n`<a href=${b("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?n`<li class="file">${o} <span class="quiet">${ke(e.bytes)}</span>${e.public&&n` <span class="chip">public</span>`}</li>`:n`<li class="folder">
    <button type="button" class="twist" aria-expanded=${s} aria-label=${`Contents of ${e.name}`} onClick=${()=>r(!s)}></button>
    ${o}
    ${s&&n`<${Xs} id=${e.id} chosen=${t} />`}
  </li>`}function mo({id:e}){let{body:t,error:s,retry:r}=A("read_asset",{id:e});if(s)return n`<${C} error=${s} retry=${r} />`;if(!t)return n`<${S} />`;let{data:o}=t,i=(c,a)=>n`<div><dt>${c}</dt><dd dir="auto">${a}</dd></div>`;return n`<section class="card" aria-label="Selected">
    <p class="eyebrow">${o.kind}</p>
    <h2 dir="auto">${o.name}</h2>
    <dl class="facts">
      ${o.kind==="file"&&i("Size",`${ke(o.bytes)} (${o.bytes} bytes)`)}
      ${o.mime&&i("Type",o.mime)}
      ${i("Visible",o.public?"to everybody":"to the organization")}
      ${o.publicUrl&&i("Address",n`<${z} url=${o.publicUrl} />`)}
      ${o.uploadedBy&&i("From",o.uploadedBy.displayName??o.uploadedBy.id)}
      ${i("Created",K(o.createdAt))}
      ${i("Changed",K(o.updatedAt))}
      ${o.parentId&&i("In",n`<a href=${b("explore","assets",[o.parentId])}>its folder</a>`)}
      ${i("Id",n`<code>${o.id}</code>`)}
    </dl>
    <${D} meta=${t.meta} />
  </section>`}var Rt={};H(Rt,{Chats:()=>It,operations:()=>fo,queries:()=>wo,shows:()=>go});var fo=["list_telegram_chats","list_telegram_messages"],go=({values:[e],query:{around:t,q:s}})=>e?s?`the messages of a chat that contain “${s}”`:t?`message ${t} of a chat, between its neighbours`:"the messages of a chat":"the linked chats",wo={list_telegram_messages:yo},_o=2**31-1;function yo({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function It({values:e,query:t}){let{before:s,around:r}=t;return e[0]?n`<${vo} key=${`${e[0]} ${s} ${r}`} id=${e[0]} before=${s} around=${r} />`:n`<${bo} />`}function bo(){let{query:e}=v(I),t=Number(e.page??1),{body:s,error:r,retry:o}=A("list_telegram_chats",{page:t});return r?n`<${C} isWhole error=${r} retry=${o} />`:s?n`
    <h1>Chats</h1>
    ${!s.data.length&&n`<${B}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${s.data.map(i=>n`<li class="card" key=${i.id}>
        <p class="eyebrow">${i.type}</p>
        <h2 dir="auto"><a href=${b("explore","chats",[i.id])}>${i.title}</a></h2>
        ${i.username&&n`<p class="quiet" dir="ltr">@${i.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${L(i.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${Ve(i.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${P} at=${i.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${F(i.linkedAt)}</p>
      </li>`)}
    </ul>
    <${te} pagination=${s.pagination} page=${t} onPage=${i=>$({page:i})} />
    <${D} meta=${s.meta} />
  `:n`<${S} />`}function vo({id:e,before:t,around:s}){let{query:r}=v(I),o=ee(r.q??""),c=A("list_telegram_chats",{}).body?.data.find(g=>g.id===e),{bodies:a,error:u,isLoading:d,hasMore:l,more:m}=Q("list_telegram_messages",{chatId:e,q:o,...o?{}:{before:t,around:s}},({pagination:g})=>g.hasMore?{chatId:e,q:o,before:g.nextBefore}:null),h=a.flatMap(g=>g.data).reverse(),p=o?void 0:Number(s),f=h.some(g=>g.id===p),j=xo(h.length),_=g=>b("explore","chats",[e],{around:g});return n`
    <p class="crumb"><a href=${b("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${g=>g.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${r.q??""} dir="auto" onInput=${g=>$({q:g.target.value})} /></label>
      ${(t||s)&&n`<a class="button" href=${b("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${u&&n`<${C} error=${u} retry=${m} />`}
    ${a[0]?.pagination.searchLimited&&n`<p class="quiet">Only the newest messages were searched.</p>`}
    ${p&&h.length>0&&!f&&n`<p class="quiet" role="status">Message ${p} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${j} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?n`<${S} />`:l?n`<button type="button" class="more" onClick=${m}>Older messages</button>`:n`<span class="quiet">${h.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${h.map((g,y)=>n`<${So} key=${g.id} message=${g} previous=${h[y-1]}
        quoted=${h.find(R=>R.id===g.replyToMessageId)} term=${o} isHit=${g.id===p} link=${_} />`)}</ol>
      ${p&&h.at(-1)?.id>p&&n`<p class="older"><a class="button" href=${_(h.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${a[0]&&n`<${D} meta=${a[0].meta} />`}
  `}function xo(e){let t=k(null),s=k(null);return Se(()=>{let r=t.current;if(!e)return;let o=()=>{s.current=r.scrollHeight-r.clientHeight-r.scrollTop},i=s.current===null&&r.querySelector("[aria-current]");return i?i.scrollIntoView({block:"center"}):r.scrollTop=r.scrollHeight-r.clientHeight-(s.current??0),o(),r.addEventListener("scroll",o,{passive:!0}),()=>r.removeEventListener("scroll",o)},[e]),t}function So({message:e,previous:t,quoted:s,term:r,isHit:o,link:i}){let{id:c,sender:a,text:u,detail:d,kind:l,file:m,sentAt:h,editedAt:p,replyToMessageId:f}=e,j=!t||F(t.sentAt)!==F(h),_=j||t.sender.name!==a.name;return n`
    ${j&&n`<li class="day">${F(h)}</li>`}
    <li class=${`message${o?" hit":""}`} aria-current=${o?"true":void 0}>
      ${_&&n`<p class="sender" dir="auto">${a.name} ${a.username&&n`<span class="quiet" dir="ltr">@${a.username}</span>`}</p>`}
      <div class="bubble">
        ${f!==null&&n`<p class="quoted" dir="auto"><${Eo} id=${f} quoted=${s} link=${i} /></p>`}
        ${l!=="text"&&n`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${Co} file=${m} term=${r} /></p>`}
        ${d&&n`<p class="quiet" dir="auto"><${V} text=${d} term=${r} /></p>`}
        ${u&&n`<p class="text" dir="auto"><${V} text=${u} term=${r} /></p>`}
        <p class="when"><a href=${i(c)} aria-label=${`Message ${c}, ${K(h)}`}><${P} at=${h}>${bt(h)}<//></a>${p&&n` <span>edited <${P} at=${p}>${bt(p)}<//></span>`}</p>
      </div>
    </li>`}function Eo({id:e,quoted:t,link:s}){let r=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=_o?n`<a href=${s(e)}>${r}</a>`:r}function Co({file:e,term:t}){if(!e)return null;let{fileName:s,width:r,height:o,duration:i,mimeType:c,fileSize:a,sticker:u}=e,d=[u,r&&o&&`${r} × ${o}`,i!==null&&Ls(i),c,a!==null&&ke(a)];return n`${s&&n`<${V} text=${s} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function Qs({view:e}){let t=N.clients.find(s=>s.name===e)??N.clients[0];return n`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${N.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${N.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${N.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${N.clients.map(({name:s,title:r})=>n`<li><a href=${b("connect",s)} aria-current=${s===t.name?"page":void 0}>${r}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${qe} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var Nt={};H(Nt,{Knowledge:()=>Mt,operations:()=>$o,shows:()=>Oo});function He({text:e,term:t}){let s=ge(()=>import("./markdown-Y5HIW46E.js")),r=k(null);return Se(()=>{if(!s)return;let o=s.renderedLine(e);t&&ko(o,t),r.current.replaceChildren(o)},[s,e,t]),s?n`<p key="line" dir="auto" ref=${r}></p>`:n`<p key="text" dir="auto">${e}</p>`}function ko(e,t){let s=document.createTreeWalker(e,NodeFilter.SHOW_TEXT),r=[];for(;s.nextNode();)r.push(s.currentNode);for(let o of r){let i=o.data.split(St(t));i.length>1&&o.replaceWith(...i.map((c,a)=>a%2?jo(c):c))}}function jo(e){let t=document.createElement("mark");return t.textContent=e,t}var er=new Map;function tr(e,t,s={}){for(let r of t)er.set(r,{view:e,toQuery:s[r]??(o=>o)})}function se(e){let t=de(e),s=t&&er.get(t.operation.name);if(!s)return null;let{limit:r,...o}=s.toQuery(Object.fromEntries(t.query));return b("explore",s.view,t.values,o)}var $o=["list_knowledge","read_knowledge"],Oo=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,Ao={"":"Everything",source:"Documents",note:"Notes"},Po={"":"Public and team",public:"Public",team:"Team"};function Mt({values:e}){return e[0]?n`<${Mo} key=${e[0]} id=${e[0]} />`:n`<${To} />`}function To(){let{query:e}=v(I),t=ee(e.q??""),s=Number(e.page??1),{kind:r,visibility:o,archived:i}=e,{body:c,error:a,retry:u}=A("list_knowledge",{q:t,kind:r,visibility:o,archived:i,page:s}),d=(l,m)=>n`<select value=${e[l]??""} onChange=${h=>$({[l]:h.target.value,page:""})}>
    ${Object.entries(m).map(([h,p])=>n`<option value=${h}>${p}</option>`)}
  </select>`;return n`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>$({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",Ao)}</label>
      <label class="field">For ${d("visibility",Po)}</label>
      <label class="check"><input type="checkbox" checked=${i==="true"}
        onChange=${l=>$({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${a&&n`<${C} error=${a} retry=${u} />`}
    ${!c&&!a&&n`<${S} />`}
    ${c&&n`
      ${!c.data.length&&n`<${B}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>n`<${Io} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${te} pagination=${c.pagination} page=${s} onPage=${l=>$({page:l})} />
      <${D} meta=${c.meta} />`}
  `}function Io({item:e,term:t}){return n`<li>
    <h2 dir="auto"><a href=${b("explore","knowledge",[e.id])}><${V} text=${e.title} term=${t} /></a></h2>
    <${He} text=${e.preview} term=${t} />
    <${sr} item=${e} />
  </li>`}function sr({item:e}){let{source:t,sourceLabel:s,sourceHref:r,sourceStatus:o,visibility:i,archived:c,updatedAt:a}=e;return n`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${r?n`<${Ro} href=${r} label=${s} />`:s}</span>
    <${P} at=${a} />
    ${i==="team"&&n`<span class="chip">team</span>`}
    ${c&&n`<span class="chip">archived</span>`}
    ${o!=="current"&&n`<span class="chip">${o}</span>`}
  </p>`}function Ro({href:e,label:t}){let s=se(e);return s?n`<a href=${s}>${t}</a>`:n`<${z} url=${e}>${t}<//>`}function Mo({id:e}){let[t,s]=w(!1),{bodies:r,error:o,isLoading:i,hasMore:c,more:a}=Q("read_knowledge",{id:e},h=>{let{nextOffset:p}=h.data.contentRange;return p===null?null:{id:e,offset:p}}),u=As(a,c&&!i&&!o),d=r[0]?.data,l=r.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return n`
    <p class="crumb"><a href=${b("explore","knowledge")}>Library</a></p>
    ${d&&n`
      <article class="document" aria-busy=${i}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${sr} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${L(m)} of ${L(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&n`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>s(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>s(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?n`<div class="plain-text" dir="auto">${r.map(h=>h.data.content).join("")}</div>`:n`<${No} bodies=${r} isWhole=${!c} />`}
        <footer class="quiet">Created ${F(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${D} meta=${r[0].meta} />`}
    ${o&&n`<${C} isWhole=${!d} error=${o} retry=${a} />`}
    ${i&&n`<${S} />`}
    <div ref=${u}></div>
  `}function No({bodies:e,isWhole:t}){let s=k(null),r=k({count:0,rest:"",env:{}}),o=ge(()=>import("./markdown-Y5HIW46E.js"));x(()=>{if(!o)return;let{cut:c,rendered:a}=o,u=r.current;u.tail?.forEach(m=>m.remove()),u.tail=null,u.rest+=e.slice(u.count).map(m=>m.data.content).join(""),u.count=e.length;let[d,l]=t?[u.rest,""]:c(u.rest);if(d&&s.current.append(a(d,u.env)),u.rest=l,l){let m=a(l,{...u.env});u.tail=[...m.childNodes],s.current.append(m)}},[o,e.length,t]);let i=c=>{let a=c.target.closest("button.outbound");a&&Et(a.address)};return n`${!o&&n`<${S} />`}<div class="prose" ref=${s} onClick=${i}></div>`}var Bt={};H(Bt,{Mentions:()=>Lt,operations:()=>Lo,shows:()=>Bo});var Lo=["list_x_mentions"],Bo=()=>"the posts that mention the organization";function Lt(){let{query:e}=v(I),t=Number(e.page??1),{body:s,error:r,retry:o}=A("list_x_mentions",{page:t});return n`
    <h1>Mentions</h1>
    ${r&&n`<${C} error=${r} retry=${o} />`}
    ${!s&&!r&&n`<${S} />`}
    ${s&&n`
      <${D} meta=${s.meta} />
      ${!s.data.length&&n`<${B}>No post is stored.<//>`}
      <ul class="cards posts">${s.data.map(i=>n`<${Do} key=${i.id} post=${i} />`)}</ul>
      <${te} pagination=${s.pagination} page=${t} onPage=${i=>$({page:i})} />`}
  `}function Do({post:e}){let{author:t,text:s,createdAt:r,metrics:o,media:i,quoted:c,isReply:a,isRepost:u,url:d}=e;return n`<li class="card">
    <p class="byline"><${rr} author=${t} /> <${P} at=${r} />
      ${a&&n`<span class="chip">reply</span>`}${u&&n`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${s}</p>
    ${i.length>0&&n`<ul class="plain-list media">${i.map(l=>n`<li><span class="kind">${l.type}</span> <${z} url=${l.url} />
      ${l.previewUrl!==l.url&&n`<${z} url=${l.previewUrl} />`}</li>`)}</ul>`}
    ${c&&n`<blockquote><p class="byline"><${rr} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${z} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(o).map(([l,m])=>n`<div><dt>${l}</dt><dd title=${L(m)}>${Ve(m)}</dd></div>`)}</dl>
    <p class="byline"><${z} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function rr({author:e}){return n`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var Ft={};H(Ft,{Overview:()=>zt,operations:()=>qo,shows:()=>Wo});var Dt=60,zo=3*31557600,or=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Ke=360;function $e(e){let t=Math.log(Math.max(e,Dt)/Dt)/Math.log(zo/Dt);return Math.round(10+Math.min(1,t)*(Ke-20))}function ir({sources:e}){return e.length?n`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${Vo} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>n`<${Fo} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:n`<${B}>No source is approved for this key. An owner or admin can approve sources.<//>`}function Fo({source:e}){let{label:t,kind:s,count:r,description:o,href:i,status:c,updatedAt:a,staleAfterSeconds:u}=e,d=se(i);return n`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?n`<a href=${d}><${V} text=${t} /></a>`:t}</span>
      <span class="kind">${s}${r!==void 0&&` · ${r}`}</span>
      <span class="quiet about" dir="auto">${o}</span>
    </th>
    <td><${_e} status=${c} /></td>
    <td><${P} at=${a} /><span class="quiet about">${u===void 0?"no freshness target":`stale after ${Ns(u)}`}</span></td>
    <td class="line"><${Uo} status=${c} updatedAt=${a} target=${u} /></td>
  </tr>`}function Vo(){return n`<svg viewBox="0 0 ${Ke} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${or.map(([e,t])=>n`<text x=${$e(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function Uo({status:e,updatedAt:t,target:s}){let r=t?$e(vt(t)):null,o=s===void 0?null:$e(s),i=o!==null&&r!==null&&r>o;return n`<svg viewBox="0 0 ${Ke} 28" aria-hidden="true" class="age tone-${e}">
    ${or.map(([c])=>n`<line class="tick" x1=${$e(c)} x2=${$e(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Ke-10} y1="14" y2="14" />
    ${o!==null&&n`<rect class="promise" x="10" y="8" width=${o-10} height="12" rx="3" />`}
    ${i&&n`<line class="late" x1=${o} x2=${r} y1="14" y2="14" />`}
    ${r!==null&&n`<${je} status=${e} x=${r-10} y="4" width="20" height="20" />`}
  </svg>`}var qo=["get_context","list_sources"],Wo=()=>"the organization, its sources, and how fresh each of them is";function zt(){let{body:e,error:t,retry:s}=A("get_context",{});if(t)return n`<${C} isWhole error=${t} retry=${s} />`;if(!e)return n`<${S} />`;let{organization:r,grantedScopes:o,sources:i,connections:c}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${r.displayName??"Organization"}</h1>
      <p class="quiet">
        ${r.slug&&n`<code>${r.slug}</code> · `}
        ${r.createdAt&&n`since ${F(r.createdAt)} · `}
        ${i.length} ${i.length===1?"source":"sources"}
      </p>
      <ul class="chips" aria-label="Scopes of this key">
        ${o.map(a=>n`<li class="chip"><code>${a}</code></li>`)}
      </ul>
    </div>
    <${ir} sources=${i} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${r.id}</code></dd></div>
        ${i.map(({id:a,label:u,href:d})=>n`<div><dt dir="auto">${u}</dt><dd><code>${a}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([a,u])=>n`<div><dt>${a}</dt><dd>${Yo(u)}</dd></div>`)}
      </dl>
    </details>
  `}function Yo(e){return Object.entries(e).filter(([,s])=>s!==null&&typeof s!="object").map(([s,r])=>`${s} ${r}`).join(", ")}var Ut={};H(Ut,{People:()=>Vt,operations:()=>Jo,shows:()=>Ho});var Jo=["list_people","read_person"],Ho=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function Vt({values:e}){return e[0]?n`<${Zo} key=${e[0]} id=${e[0]} />`:n`<${Ko} />`}function Ko(){let{query:e}=v(I),t=ee(e.q??""),s=Number(e.page??1),{body:r,error:o,retry:i}=A("list_people",{q:t,page:s}),c=Math.max(1,...(r?.data??[]).map(a=>a.activityCount));return n`
    <h1>People</h1>
    <form class="filters" role="search" onSubmit=${a=>a.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${a=>$({q:a.target.value,page:""})} /></label>
    </form>
    ${o&&n`<${C} error=${o} retry=${i} />`}
    ${!r&&!o&&n`<${S} />`}
    ${r&&n`
      ${r.pagination.searchLimited&&n`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!r.data.length&&n`<${B}>No person in an approved source matches.<//>`}
      <ul class="people">${r.data.map(a=>n`<li key=${a.key}>
        <a href=${b("explore","people",[a.key])} dir="auto"><${V} text=${a.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${a.username?n`@<${V} text=${a.username} term=${t} />`:""}</span>
        <span class="kind">${a.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${a.activityCount} aria-label="Activity"></meter> ${L(a.activityCount)}</span>
        <span class="quiet"><${P} at=${a.lastActiveAt} /></span>
      </li>`)}</ul>
      <${te} pagination=${r.pagination} page=${s} onPage=${a=>$({page:a})} />
      <${D} meta=${r.meta} />`}
  `}function Zo({id:e}){let{body:t,error:s,retry:r}=A("read_person",{key:e});if(s)return n`<${C} isWhole error=${s} retry=${r} />`;if(!t)return n`<${S} />`;let{data:o}=t;return n`
    <p class="crumb"><a href=${b("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${o.platform}${o.verified&&" · verified"}</p>
      <h1 dir="auto">${o.displayName}</h1>
      <p class="quiet">
        ${o.username&&n`<span dir="ltr">@${o.username}</span> · `}
        ${L(o.activityCount)} in all · since ${F(o.firstActiveAt)} · last <${P} at=${o.lastActiveAt} />
      </p>
      ${o.profileUrl&&n`<p><${z} url=${o.profileUrl} /></p>`}
      <p class="quiet"><code>${o.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${o.sources.map(i=>n`<li key=${i.sourceId}>
      <span dir="auto">${i.label}</span> <span class="quiet">${L(i.activityCount)} · last <${P} at=${i.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${o.recentActivity.map(i=>n`<li key=${i.id}>
      <p class="byline"><span class="kind">${i.kind}</span> <${P} at=${i.at} /></p>
      <p dir="auto"><${Go} one=${i} /></p>
    </li>`)}</ol>
    <${D} meta=${t.meta} />
  `}function Go({one:e}){let t=se(e.href),s=e.preview||`without text (${e.id})`;return t?n`<a href=${t}>${s}</a>`:e.href?n`<${z} url=${e.href}>${s}<//>`:s}var nr="./swagger-ui-ZNARJ7LG.js";var ar="./swagger-ui-KBCBW7CB.css";var qt=null;function lr({view:e}){let t=k(null),[s,r]=w(!1),[o,i]=w(!1),c=v(W);return x(()=>{let a=null;return qt??=oi(),qt.then(u=>{t.current&&(a=ai(u,t.current,()=>i(!0)))},()=>{qt=null,r(!0)}),()=>a?.()},[]),x(()=>{o&&e&&ei(t.current,e)},[o,e]),n`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The contract as this service serves it: <a href="api/v1/openapi.json">api/v1/openapi.json</a>, OpenAPI 3.1.</p>
    </div>
    ${!c&&n`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${we} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${N.operations.map(({name:a,title:u})=>n`<li><a class="chip" href=${b("reference",a)} aria-current=${a===e?"page":void 0}>${u}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${s?n`<p role="alert">The viewer could not be loaded. Reload the page to try again.</p>`:n`<div class="reference" ref=${t} onClick=${ti}><${S} /></div>`}
    <${Ye} operations=${[]} />
  `}var ur=e=>e.id.split("-").at(-1);function ei(e,t){let s=[...e.querySelectorAll(".opblock")].find(o=>ur(o)===t);if(!s)return;let r=s.querySelector(".opblock-summary-control");r.getAttribute("aria-expanded")==="false"&&r.click(),requestAnimationFrame(()=>{r.focus({preventScroll:!0}),s.scrollIntoView()})}function ti({target:e}){let t=e.closest(".opblock-summary-control")?.closest(".opblock");t&&history.replaceState(null,"",b("reference",ur(t)))}async function si(e){let{pathname:t,search:s}=new URL(e,location.href),r=t.slice(t.indexOf("/api/v1/"))+s,o=de(r);if(!o)return fetch(r.slice(1));let i=await Y(o.operation.name,ri(o)).catch(a=>{if(!a.exchange)throw a;return a.exchange}),c={"Content-Type":"application/json","X-Request-Id":i.requestId??""};return new Response(JSON.stringify(i.body),{status:i.status===304?200:i.status,headers:c})}function ri({operation:e,values:t,query:s}){let r=[...t];return Object.fromEntries(Object.entries(e.arguments).map(([o,{path:i}])=>[o,i?r.shift():s.get(o)]))}async function oi(){let e=t=>new URL(t,import.meta.url).href;return await Promise.all([cr("link",{rel:"stylesheet",href:e(ar)}),cr("script",{src:e(nr)})]),{SwaggerUI:globalThis.SwaggerUIBundle,spec:await ii()}}function cr(e,t){return new Promise((s,r)=>{document.head.prepend(Object.assign(document.createElement(e),{...t,onload:s,onerror:r}))})}async function ii(){let t=await(await fetch("api/v1/openapi.json")).json(),s=Object.values(t.paths).flatMap(r=>Object.values(r));for(let r of s.flatMap(o=>o.parameters??[]))r.required||r.example===void 0||(r.description+=` Example: \`${r.example}\``,delete r.example);return t}function ni({React:e}){let t=e.createElement,s=["errors","operations","Models"],r=({getComponent:a})=>t("div",{className:"swagger-ui"},s.map(u=>t(a(u,!0),{key:u}))),o=a=>u=>t("label",null,t("span",{className:"sr"},u.description),t(a,u)),i=(a,u)=>a?.querySelector("table[role=region]")?.setAttribute("aria-label",`Responses of ${u}`);return{components:{Contents:r},wrapComponents:{JsonSchemaForm:o,responses:a=>u=>t("div",{ref:d=>i(d,u.path)},t(a,u))}}}function ai({SwaggerUI:e,spec:t},s,r){let o=matchMedia("(prefers-color-scheme: dark)"),i=document.documentElement.classList,c=()=>i.toggle("dark-mode",o.matches);return c(),o.addEventListener("change",c),s.replaceChildren(),e({spec:t,domNode:s,layout:"Contents",plugins:[ni],requestInterceptor:a=>Object.assign(a,{userFetch:si}),showMutatedRequest:!1,tryItOutEnabled:!0,onComplete:r,docExpansion:"list",defaultModelsExpandDepth:0,deepLinking:!1,syntaxHighlight:{activated:!1}}),()=>{o.removeEventListener("change",c),i.remove("dark-mode")}}var Ht={};H(Ht,{Search:()=>Jt,operations:()=>ci,shows:()=>li});var ci=["search_context"],li=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",ui=20,pr=50;function Jt(){let{query:e}=v(I),[t,s]=w(ui),r=ee(e.q??""),o={q:r,source:e.source,after:dr(e.after),before:dr(e.before,1),limit:t},{body:i,error:c,isLoading:a,retry:u}=A("search_context",o),d=A("list_sources",{});return n`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>$({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>$({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>n`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>$({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>$({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&n`<${C} error=${c} retry=${u} />`}
    ${!i&&a&&n`<${S} />`}
    ${i&&n`<${pi} body=${i} term=${r} isLoading=${a} onMore=${t<pr&&(()=>s(pr))} />`}
  `}function pi({body:e,term:t,isLoading:s,onMore:r}){let{query:o}=v(I),{items:i,hasMore:c}=e.data,a=Ee(()=>di(i),[i]),u=a.kind.has(o.kind)?o.kind:"",d=u?i.filter(({kind:p})=>p===u):i,l=new Map(i.map(({sourceId:p,sourceLabel:f})=>[p,f])),m=o.after?.slice(0,4),h=m&&o.after===Wt(m).after&&o.before===Wt(m).before;return n`
    ${i.length>0&&n`<div class="facets">
      <${Yt} name="Kinds" counts=${a.kind} chosen=${u} onPick=${p=>$({kind:p})} />
      <${Yt} name="Sources" counts=${a.source} chosen=${o.source} labels=${l} onPick=${p=>$({source:p})} />
      <${Yt} name="Years" counts=${a.year} chosen=${h?m:""} onPick=${p=>$(Wt(p))} />
      ${c&&n`<p class="quiet">Counted in the ${i.length} newest results; there are more.</p>`}
    </div>`}
    <p class="sr" role="status">${d.length} results</p>
    ${!d.length&&n`<${B}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${s}>
      ${d.map(p=>n`<${mi} key=${`${p.kind} ${p.id}`} item=${p} term=${t} />`)}
    </ol>
    ${c&&n`<p class="actions">
      ${r?n`<button type="button" onClick=${r}>Show more</button>`:n`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${D} meta=${e.meta} />
  `}var Wt=e=>e?{after:`${e}-01-01`,before:`${e}-12-31`}:{after:"",before:""};function di(e){return Object.fromEntries(Object.entries({kind:({kind:s})=>s,source:({sourceId:s})=>s,year:({updatedAt:s})=>s&&String(new Date(s).getFullYear())}).map(([s,r])=>[s,new Map([...Map.groupBy(e,r)].map(([o,i])=>[o,i.length]))]))}function Yt({name:e,counts:t,chosen:s,labels:r,onPick:o}){let i=[...t.keys()].filter(c=>c!==null).sort();return n`<div class="chips" role="group" aria-label=${e}>
    <span class="quiet" aria-hidden="true">${e}</span>
    ${i.map(c=>n`<button type="button" class="chip" key=${c} dir="auto" aria-pressed=${c===s}
      onClick=${()=>o(c===s?"":c)}>${r?.get(c)??c} ${t.get(c)}</button>`)}
  </div>`}var hi=e=>de(e.href)?.operation.name==="read_knowledge";function mi({item:e,term:t}){let s=se(e.href),r=n`<${V} text=${e.title} term=${t} />`;return n`<li>
    <h2 dir="auto">${s?n`<a href=${s}>${r}</a>`:e.href?n`<${z} url=${e.href}>${r}<//>`:r}</h2>
    ${hi(e)?n`<${He} text=${e.preview} term=${t} />`:n`<p dir="auto"><${V} text=${e.preview} term=${t} /></p>`}
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&n`<${P} at=${e.updatedAt} />`}</p>
  </li>`}function dr(e,t=0){if(!e)return;let s=new Date(`${e}T00:00`);return s.setDate(s.getDate()+t),Number.isNaN(s.getTime())?void 0:s.toISOString()}var fi=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],gi=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function hr(){let e=v(W);return n`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
      <${wi} />
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?n`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${b("explore")}>Explore</a></p>`:n`<${we} onDone=${()=>location.assign(b("explore"))} />`}
    </section>
    <ul class="promises">${fi.map(([t,s])=>n`<li><h2>${t}</h2><p>${s}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization. The operator issues it on their behalf. It is shown
          once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${qe} text=${gi} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${b("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${b("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${b("reference")}>Read the reference</a> <span class="quiet">${N.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function wi(){let[e,t]=w(null),s=()=>fetch("readyz",{cache:"no-store"}).then(o=>o.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return n`<p class="actions"><button type="button" onClick=${s}>Is the service ready?</button></p>`;let r=e.status==="ready";return n`<p class="readiness" role="status">
    <span class="status tone-${r?"current":"unavailable"}"><${je} status=${r?"current":"unavailable"} />${r?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([o,i])=>n`<span class="quiet">${o} ${i}</span>`)}
  </p>`}var Zt={};H(Zt,{Token:()=>Kt,operations:()=>_i,shows:()=>yi});var _i=["get_token"],yi=()=>"the stored summary of the linked token";function Kt(){let{body:e,error:t,retry:s}=A("get_token",{});if(t)return n`<${C} isWhole error=${t} retry=${s} />`;if(!e)return n`<${S} />`;let{connected:r,token:o,index:i,holders:c,latestFees:a,latestTradeAt:u,sources:d}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${o?`${o.name} (${o.symbol})`:"No token is stored"}</h1>
      <${D} meta=${e.meta} />
    </div>
    ${!r&&n`<${B}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&n`<div><dt>holders</dt><dd>${L(c.count)}</dd></div>`}
      ${a&&n`<div><dt>price, USD</dt><dd>${L(a.priceUsd)}</dd></div>`}
      ${u&&n`<div><dt>last trade</dt><dd><${P} at=${u} /></dd></div>`}
      ${i&&n`<div><dt>index</dt><dd><${_e} status=${i.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>n`<tr>
        <th scope="row">${l}</th><td><${_e} status=${m.status} /></td><td><${P} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Ze} title="Token" members=${o} />
      <${Ze} title="Index" members=${i} />
      <${Ze} title="Holders" members=${c} />
      <${Ze} title="Latest fees" members=${a} />
    </div>
  `}function Ze({title:e,members:t}){return t?n`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([s,r])=>n`<div><dt>${s}</dt><dd dir="auto"><${bi} value=${r} /></dd></div>`)}</dl>
  </section>`:null}function bi({value:e}){return e===null?n`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?n`<${P} at=${e}>${K(e)}<//>`:/^https?:/.test(e)?n`<${z} url=${e} />`:n`<code>${/^\d+$/.test(e)?Bs(e):e}</code>`}var vi=new URL(Hs,import.meta.url).href,mr={start:"Start",connect:"Connect",explore:"Explore",reference:"Reference"},Oe={overview:{title:"Overview",view:zt,...Ft},activity:{title:"Activity",view:Ot,...At},search:{title:"Search",view:Jt,...Ht},knowledge:{title:"Library",view:Mt,...Nt},assets:{title:"Files",view:Pt,...Tt},chats:{title:"Chats",view:It,...Rt},people:{title:"People",view:Vt,...Ut},mentions:{title:"Mentions",view:Lt,...Bt},token:{title:"Token",view:Kt,...Zt}};for(let[e,{operations:t,queries:s}]of Object.entries(Oe))tr(e,t,s);function xi(){let e=v(I),t=v(W),s=`${e.area}/${e.view}/${e.values.join("/")}`,r=k(null),o=k(!0);return x(()=>{document.title=`${Oe[e.view]?.title??mr[e.area]??"Page not found"} · orgctx`,o.current||r.current.focus({preventScroll:!0}),o.current||scrollTo(0,0),o.current=!1},[s,t]),n`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),r.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${vi} alt="" width="26" height="26" />orgctx</a>
      <nav aria-label="Page"><ul>
        ${Object.entries(mr).map(([c,a])=>n`<li><a href=${b(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${a}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&n`<${Ys} /><button type="button" onClick=${Ce}>Forget key</button>`}</div>
    </header>
    <main id="main" ref=${r} tabindex="-1" class=${e.area}>
      <${Gt} key=${e.area==="reference"?e.area:s}><${Si} here=${e} isConnected=${t} /><//>
    </main>
    <${Ws} />
  `}function Si({here:e,isConnected:t}){return e.area==="start"?n`<${hr} />`:e.area==="connect"?n`<${Qs} view=${e.view} />`:e.area==="reference"?n`<${lr} view=${e.view} />`:e.area==="explore"?t?n`<${Ci} here=${e} />`:n`<${Ei} here=${e} />`:n`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Ei({here:e}){let{title:t="Explore",operations:s,shows:r}=Oe[e.view||"overview"]??{},o=s?.flatMap(i=>ce(i).scopes)??[];return n`<section class="card entrance">
    <h1>${t}</h1>
    ${r&&n`<p dir="auto">With a key, this address shows ${r(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(o)].map((i,c)=>n`${c>0&&" or "}<code>${i}</code>`)}.</p>`}
    <${we} />
  </section>`}function Ci({here:e}){let t=e.view||"overview",{view:s,operations:r=[]}=Oe[t]??{},o=v(he)>0;return Ps(t),n`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu"><${ki} name=${t} /></ul></nav>
    <div class="view" aria-busy=${o}>
      ${s?n`<${s} values=${e.values} query=${e.query} />`:n`<h1>View not found</h1>`}
      <${Ye} operations=${r} />
    </div>
  </div>`}function ki({name:e}){let t=v(fe),s=r=>!t||ce(r).scopes.some(o=>t.includes(o));return Object.entries(Oe).filter(([,{operations:r}])=>r.some(s)).map(([r,{title:o}])=>n`<li><a href=${b("explore",r)} aria-current=${r===e?"page":void 0}>${o}</a></li>`)}var Gt=class extends ae{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:s}){return s?n`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(s.message)}</code></p></div>`:t}};Rs();nt(n`<${xi} />`,document.getElementById("app"));
