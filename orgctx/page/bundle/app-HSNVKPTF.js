import{b as J}from"./chunk-OOJM4CTU.js";var x,rn,yo,Z,tt,Ie,sn,Ne,an,ot,nt,vo,we=Symbol.for("pv"),De={},Le=[],bo=/^m(i|n|o|s|text|space)$/,rt=Array.isArray,st=Le.slice,ie=Object.assign;function ae(e){e&&e.parentNode&&e.remove()}function cn(e,t,n){var o,s,r,c={},i=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:c[r]=t[r];return i>2&&(c.children=i>3?st.call(arguments,2):n),be(e,c,o,s,null)}function be(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:we,__v:s||++rn,__i:-1,__u:0};return!s&&x.vnode&&x.vnode(r),r}function Re(e){return e.children}function ce(e,t){this.props=e,this.context=t,this.__g=0}function Y(e,t){if(t==null)return e.__&&Y(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Y(e)}function wo(e){var t,n=e.__v,o=n.__e,s=[],r=[],c=e.__P;c&&((t=ie({constructor:we},n)).__v=n.__v+1,x.vnode&&x.vnode(t),at(c,t,n,e.__n,c.namespaceURI,32&n.__u?[o]:null,s,o||Y(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,mn(s,t,r),n.__=n.__e=null,t.__e!=o&&ln(t))}function ln(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ln(e)}function nn(e){(8&e.__g||(e.__g|=8,Z.push(e),Ie++))&&tt==x.debounceRendering||((tt=x.debounceRendering)||queueMicrotask)(un)}function un(){try{for(var e,t=1;Z.length;)Z.length>t&&Z.sort(sn),e=Z.shift(),t=Z.length,8&e.__g&&wo(e)}finally{(Ie=Z.length)&&(tt||queueMicrotask)(un)}}function pn(e,t,n,o,s,r,c,i,p,d,l){var m,f,u,h,k,_,$=o.__k||Le,v=t.length;for(p=ko(n,t,$,p,v),m=0;m<v;m++)(u=n.__k[m])!=null&&(f=~u.__i&&$[u.__i]||De,u.__i=m,_=at(e,u,f,s,r,c,i,p,d,l),h=u.__e,(f.ref!=u.ref||8&f.__u)&&(f.ref&&it(f.ref,null,u,f),u.ref&&l.push(u.ref,u.__c||h,u)),k=k||h,4&u.__u?(p=dn(u,p,e,!f.__v),f.__e&&(f.__e=null)):typeof u.type=="function"&&_!==void 0?p=_:h&&(p=h.nextSibling),u.__u&=-21);return n.__e=k,p}function ko(e,t,n,o,s){var r,c,i,p,d,l,m,f,u,h=n.length,k=h,_=0,$=0,v=e.__k=Array(s);for(r=0;r<s;r++)(c=t[r])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=v[r]=be(null,c):rt(c)?c=v[r]=be(Re,{children:c}):c.constructor===we&&c.__b?c=v[r]=be(c.type,c.props,c.key,c.ref,c.__v):v[r]=c,p=r+_,c.__=e,c.__b=e.__b+1,i=null,~(d=c.__i=xo(c,n,p,k))&&(k--,(i=n[d])&&(i.__u|=2)),i&&i.__v?(c.__u|=16,d==p-1?_--:d==p+1?_++:d!=p&&(d>p?_--:_++,$=1)):(~d||(s>h?_--:s<h&&_++),typeof c.type!="function"&&(c.__u|=4))):v[r]=null;if($){for(l=[],m=[],r=0;r<s;r++)if((c=v[r])&&16&c.__u){for(_=0,f=l.length;_<f;)l[u=_+f>>1]<c.__i?_=u+1:f=u;l[_]=c.__i,m[r]=_+1}for(_=l.length;r--;)m[r]&&(m[r]==_?_--:v[r].__u|=4)}if(k)for(r=0;r<h;r++)!(i=n[r])||2&i.__u||(i.__e==o&&(o=Y(i)),ct(i,i));return o}function dn(e,t,n,o){var s,r,c,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=dn(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=Y(e))&&!t.parentNode&&(t=null),c=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(c!=i&&(!o&&n.moveBefore&&c.parentNode?n.moveBefore(c,t):n.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function xo(e,t,n,o){var s,r=e.key,c=e.type,i=t[n],p=i&&!(2&i.__u);if(i===null&&r==null||p&&r==i.key&&c==i.type)return n;if(o>(p?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&r==i.key&&c==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&r==i.key&&c==i.type)return s}return-1}function on(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ee(e,t,n,o,s){var r,c;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||on(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||on(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(c=nt[t]||(nt[t]=So(t)),(e.__a||(e.__a={}))[t]=ot,r=t!=(t=t.replace(an,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,c,r):e.removeEventListener(t,c,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function So(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ne]==null)t[Ne]=ot++;else if(t[Ne]<this.__a[e])return;return n(x.event?x.event(t):t)}}}function at(e,t,n,o,s,r,c,i,p,d){var l,m,f,u,h,k,_,$,v,P,q,et,en,Me,re,tn,X,se,K=t.type;if(t.constructor!==we)return null;128&n.__u&&(p=32&n.__u,l=n.__c.__z)&&(t.__u|=p,m=r=[],l.nodeType==8?i=Pe(l,r):r.push(l),i=r[0]||i),(l=x.__b)&&l(t);e:if(typeof K=="function"){f=c.length;try{if($=t.props,v=(l=K.prototype)&&l.render,P=(l=K.contextType)&&o[l.__c],q=l?P?P.props.value:l.__:o,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(v?t.__c=u=new K($,q):(t.__c=u=new ce($,q),u.constructor=K,u.render=To),P&&P.sub(u),u.state||(u.state={}),u.__n=o,u.__g|=8,u.__h=[],u.__k=[]),v&&(u.__s||(u.__s=u.state),K.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ie({},u.__s)),ie(u.__s,K.getDerivedStateFromProps($,u.__s)))),h=u.props,k=u.state,u.__v=t,n.__c){if($!==h&&v&&!K.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps($,q),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate($,u.__s,q)===!1){t.__v!=n.__v&&(u.props=$,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(W){W&&(W.__=t)}),Le.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&c.push(u),i=Y(n);break e}u.componentWillUpdate&&u.componentWillUpdate($,u.__s,q),v&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(h,k,_)})}else v&&!K.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),v&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=q,u.props=$,u.__P=e,u.__g&=-5,et=x.__r,en=v?25:0;do u.__g&=-9,et&&et(t),l=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++en<25);v&&(Le.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(o=ie({},o,u.getChildContext())),v&&n.__c&&u.getSnapshotBeforeUpdate&&(_=u.getSnapshotBeforeUpdate(h,k)),Me=l&&l.type===Re&&l.key==null?l.props.children:l,$.__P&&(l=i,s=(e=$.__P).namespaceURI,p=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(W){W&&ct(W,W)}),n.__k=null),i=n.__k?Y(n,0):null),i=pn(e,rt(Me)?Me:[Me],t,n,o,s,r,c,i,p,d),$.__P&&(t.__e=null,i=l),t.__u&=-161,m&&m.some(ae),u.__h.length&&c.push(u),1&u.__g&&(u.__g&=-4)}catch(W){if(c.length=f,t.__v=null,p||r)if(W&&W.then){if(t.__u|=128|p,r){for(~(X=r.indexOf(i||void 0))||(X=r.length);(se=r[X-1])&&se.nodeType==8;)X--;for(;X<r.length;X++)if(se=r[X])if(r[X]=null,re){if(se==tn)break}else{if(se.nodeType!=8)break;se.data.startsWith("$s")&&(tn=Pe(re=se))}}if(!re){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;re=i}(l=Pe(re=t.__c.__z||(t.__c.__z=re)))?(t.__e=re,i=l):t.__e=i,i=i&&i.nextSibling}else r&&r.some(ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),W&&W.then||fn(t),x.__e(W,t,n)}}else i=t.__e=Co(n.__e,t,n,o,s,r,c,p,d,e);return(l=x.diffed)&&l(t),i}function Pe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function fn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(fn))}function mn(e,t,n){for(var o=0;o<n.length;)it(n[o++],n[o++],n[o++]);x.__c&&x.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){x.__e(r,s.__v)}})}function Co(e,t,n,o,s,r,c,i,p,d){var l,m,f,u,h,k,_,$,v=n.props||De,P=t.props,q=t.type;if(q=="svg"?s="http://www.w3.org/2000/svg":q=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(l=0;l<r.length;l++)if((h=r[l])&&(q?h.localName==q:h.nodeType==3)){e=h,r[l]=null;break}}if(!e){if($=d.ownerDocument||document,!q)return $.createTextNode(P);e=$.createElementNS(s,q,P.is?P:d),i&&(x.__m&&x.__m(t,r),i=!1),r=null}if(q){if(d=q=="template"&&e.content||e,r=q=="textarea"&&P.defaultValue!=null?null:r&&st.call(d.childNodes),!i&&r)for(v={},l=0;l<e.attributes.length;l++)v[(h=e.attributes[l]).name]=h.value;for(l in v)h=v[l],l=="dangerouslySetInnerHTML"?f=h:l=="children"||l in P||l=="value"&&"defaultValue"in P||l=="checked"&&"defaultChecked"in P||Ee(e,l,null,h,s);for(l in P)h=P[l],l=="children"?u=h:l=="dangerouslySetInnerHTML"?m=h:l=="value"?k=h:l=="checked"?_=h:i&&typeof h!="function"||v[l]===h||Ee(e,l,h,v[l],s);m?(i||f&&(m.__html==f.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(f&&(e.textContent=""),(q=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&bo.test(q))&&(s="http://www.w3.org/1999/xhtml"),pn(d,rt(u)?u:[u],t,n,o,s,r,c,r?r[0]:n.__k&&Y(n,0),i,p),r&&r.some(ae)),i&&q!="textarea"||(l="value",q=="progress"&&k==null?e.removeAttribute(l):k==null||k===e[l]&&(q!="progress"||k)||Ee(e,l,k,v[l],s),l="checked",_!=null&&_!=e[l]&&Ee(e,l,_,v[l],s))}else v===P||i&&e.data==P||(e.data=P);return e}function it(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){x.__e(s,n)}}function ct(e,t,n){var o,s,r,c;if(x.unmount&&x.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||it(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){x.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(c=0;c<o.length;c++)o[c]&&ct(o[c],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=Pe(o,r=[]))&&(o==e.__e&&r.some(ae),ae(s),ae(o)),n||ae(e.__e),e.__e=e.__c=e.__=null}function To(e,t,n){return this.constructor(e,n)}function lt(e,t){var n,o,s,r;x.__&&x.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=be(Re,{children:[e]}),s=[],r=[],at(t,t.__k,o||De,De,t.namespaceURI,o?null:t.firstChild?st.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),mn(s,t.__k,r),t.__k.props.children=null}x={__e:function(e,t,n,o){for(var s,r,c;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((c=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),c=1),c&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Ie=0,e}},rn=0,yo=function(e){return e!=null&&e.constructor===we},ce.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ie({},this.state)),typeof e=="function"&&(e=e(ie({},n),this.props)),e&&(ie(n,e),this.__v&&(t&&this.__k.push(t),nn(this)))},ce.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),nn(this))},ce.prototype.render=Re,Z=[],Ie=0,sn=function(e,t){return e.__v.__b-t.__v.__b},Ne=Symbol(),an=/(PointerCapture)$|Capture$/i,ot=0,nt={},vo=0;var hn=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var c=t[r++],i=t[r]?(t[0]|=c?1:2,n[t[r++]]):t[++r];c===3?o[0]=i:c===4?o[1]=Object.assign(o[1]||{},i):c===5?(o[1]=o[1]||{})[t[++r]]=i:c===6?o[1][t[++r]]+=i+"":c?(s=e.apply(i,hn(e,i,n,["",null])),o.push(s),i[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(i)}return o},$n=new Map;function _n(e){var t=$n.get(this);return t||(t=new Map,$n.set(this,t)),(t=hn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,c="",i="",p=[0],d=function(f){r===1&&(f||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,f,c):r===3&&(f||c)?(p.push(3,f,c),r=2):r===2&&c==="..."&&f?p.push(4,f,0):r===2&&c&&!f?p.push(5,0,!0,c):r>=5&&((c||!f&&r===5)&&(p.push(r,0,c,s),r=6),f&&(p.push(r,f,0,s),r=6)),c=""},l=0;l<n.length;l++){l&&(r===1&&d(),d(l));for(var m=0;m<n[l].length;m++)o=n[l][m],r===1?o==="<"?(d(),p=[p],r=3):c+=o:r===4?c==="--"&&o===">"?(r=1,c=""):c=o+c[0]:i?o===i?i="":c+=o:o==='"'||o==="'"?i=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,s=c,c=""):o==="/"&&(r<5||n[l][m+1]===">")?(d(),r===3&&(p=p[0]),r=p,(p=p[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):c+=o),r===3&&c==="!--"&&(r=4,p=p[0])}return d(),p})(e)),t),arguments,[])).length>1?t:t[0]}var fe,I,ut,gn,pt=Object.is,xe=0,Tn=[],dt=[],E=x,yn=E.__b,vn=E.__r,bn=E.diffed,wn=E.__c,kn=E.unmount,xn=E.__;function Fe(e,t){E.__h&&E.__h(I,e,xe||t),xe=0;var n=I.__H||(I.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function y(e){return xe=1,Ao(An,e)}function Ao(e,t,n){var o=Fe(fe++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):An(void 0,t),function(r){var c=(o.__N||o.__)[0],i=o.t(c,r);pt(c,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=I,!I.__f)){I.__f=!0;var s=I.shouldComponentUpdate;I.shouldComponentUpdate=function(r,c,i){var p=this.__H;if(!p)return!0;var d=!1,l=this.props!=r;if(p.__.some(function(f){f.__N&&(d=!0,pt(f.__[0],f.__N[0])||(l=!0))}),s){var m=s.call(this,r,c,i);return d?m||l:m}return!d||l}}return o.__}function w(e,t){var n=Fe(fe++,3);!E.__s&&mt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,I.__H.__h.push(n))}function Se(e,t){var n=Fe(fe++,4);!E.__s&&mt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,I.__h.push(n))}function T(e){return xe=5,Ce(function(){return{current:e}},[])}function Ce(e,t){var n=Fe(fe++,7);return mt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function je(e,t){return xe=8,Ce(function(){return e},t)}function Oo(){var e;do{for(;e=dt.shift();)try{ke(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Tn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ke),t.__h.some(ft),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(dt.length)}E.__b=function(e){I=null,yn&&yn(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),xn&&xn(e,t)},E.__r=function(e){vn&&vn(e),fe=0;var t=(I=e.__c).__H;t&&(ut==I?I.__h=[]:(t.__h.some(ke),t.__h.some(ft),fe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ut=I},E.diffed=function(e){bn&&bn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Cn(Tn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ut=I=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(ke),n.__h=n.__h.filter(function(o){return!o.__||ft(o)})}catch(o){n.__h=[function(){throw o}]}}),wn&&wn(e,t)},E.unmount=function(e){kn&&kn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Cn(dt.push(s))}else ke(s)}catch(r){t=r}}),o.__H=void 0,t&&E.__e(t,o.__v))};var Sn=typeof requestAnimationFrame=="function";function qo(e){var t,n=function(){clearTimeout(o),Sn&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Sn&&(t=requestAnimationFrame(n))}function Cn(e){e!=1&&gn==E.requestAnimationFrame||((gn=E.requestAnimationFrame)||qo)(Oo)}function ke(e){var t=I,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),I=t}function ft(e){var t=I;e.__c=e.__(),I=t}function mt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!pt(n,e[o])})}function An(e,t){return typeof t=="function"?t(e):t}var a=_n.bind(cn);var z=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let n of[...this.#e])n(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function b(e){let[t,n]=y(e.value);return w(()=>(n(e.value),e.watch(n)),[e]),t}var $t=document.querySelector('meta[name="orgctx-key"]'),B=$t&&{name:$t.content,...$t.dataset};var D=new z(ht(location.hash));addEventListener("hashchange",()=>D.set(ht(location.hash)));function g(e,t="",n=[],o={}){let s=[e,t,...n].filter(Boolean).map(encodeURIComponent).join("/"),r=Object.entries(o).filter(([,i])=>i!=null&&i!==""),c=new URLSearchParams(r).toString();return`#/${s}${c&&`?${c}`}`}function A(e){let{area:t,view:n,values:o,query:s}=D.value;history.replaceState(null,"",g(t,n,o,{...s,...e})),D.set(ht(location.hash))}function ht(e){let[t,n=""]=e.replace(/^#\/?/,"").split("?"),[o="",s="",...r]=t.split("/").map(_t);return{area:o||(B?"explore":"start"),view:s,values:r,query:Object.fromEntries(new URLSearchParams(n))}}function _t(e){try{return decodeURIComponent(e)}catch{return e}}var gt=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!gt.ok)throw new Error(`service.json: ${gt.status}`);var S=await gt.json();S.baseUrl||=location.origin;for(let e of S.clients)e.configuration=e.configuration.replaceAll(S.exampleUrl,S.baseUrl);var Mo=new Map(S.operations.map(e=>[e.name,e])),Eo=S.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function le(e){return Mo.get(e)}function On(e,t){let n=e.path,o=new URLSearchParams;for(let[r,{path:c}]of Object.entries(e.arguments)){let i=t[r];c?n=n.replace(`{${c}}`,encodeURIComponent(i)):Mn(i)||o.set(r,i)}let s=o.toString();return`/api/v1${n}${s&&`?${s}`}`}function qn(e,t){let n=Object.entries(e.arguments).filter(([o])=>!Mn(t[o]));return Object.fromEntries(n.map(([o,{type:s}])=>[o,No(t[o],s)]))}function Ue(e){if(!e?.startsWith("/api/v1/"))return null;let[t,n=""]=e.split("?");for(let[o,s]of Eo){let r=o.exec(t);if(r)return{operation:s,values:r.slice(1).map(_t),query:new URLSearchParams(n)}}return null}function Mn(e){return e==null||e===""}function No(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var Po=60,Io=12,Do=B?"manual":"follow",$e=null,ue=new Map,V=new z(B!==null),He=new z(null),he=new z(B?.scopes.split(" ")??null),me=new z(0),pe=new z([]);function En(e){Te(),$e=e,V.set(!0),Q("get_context").catch(()=>{})}function Te(){$e=null,ue.clear(),He.set(null),he.set(null),pe.set([]),V.set(!1)}var yt=class extends Error{constructor(t){super(t.body?.error?.message??""),this.exchange=t,this.status=t.status,this.retryAt=Date.now()+1e3*(t.retryAfter??0)}};async function Q(e,t={},n=void 0){let o=le(e),s=On(o,t),r=ue.get(s),c=$e,i=performance.now(),p={operation:o,args:t,path:s,status:0,milliseconds:0,body:null,etag:null},d;me.set(me.value+1);try{d=await fetch(s.slice(1),{headers:Lo(r),cache:"no-store",redirect:Do,signal:n}),d.type==="opaqueredirect"&&location.reload(),p.status=d.status,p.body=d.status===304?r.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{me.set(me.value-1)}if($e!==c)throw new DOMException("The key has changed.","AbortError");if(p.milliseconds=Math.round(performance.now()-i),d&&Ro(p,d),pe.set([p,...pe.value].slice(0,Io)),p.status!==200&&p.status!==304)throw new yt(p);return p.body.data.grantedScopes&&he.set(p.body.data.grantedScopes),jo(s,p),p}function Lo(e){return{Accept:"application/json",...$e&&{Authorization:`Bearer ${$e}`},...e&&{"If-None-Match":e.etag}}}function Ro(e,{headers:t}){let n=o=>t.has(o)?Number(t.get(o)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),e.retryAfter=Fo(t.get("Retry-After")),t.has("RateLimit-Limit")&&(e.quota={limit:n("RateLimit-Limit"),remaining:n("RateLimit-Remaining"),resetAt:Date.now()+1e3*n("RateLimit-Reset")},He.set(e.quota))}function Fo(e){return e&&(Number.isNaN(Number(e))?(new Date(e)-Date.now())/1e3:Number(e))}function jo(e,{etag:t,body:n}){ue.delete(e),ue.set(e,{etag:t,body:n}),ue.size>Po&&ue.delete(ue.keys().next().value)}var Be={body:null,error:null,isLoading:!1};function N(e,t){let[n,o]=y({...Be,isLoading:t!==null}),[s,r]=y(0),c=b(V),i=t&&JSON.stringify(t);w(()=>{if(i===null||!c)return o(Be);let d=new AbortController;return o(l=>({...l,error:null,isLoading:!0})),Q(e,JSON.parse(i),d.signal).then(({body:l})=>o({...Be,body:l}),l=>l.name!=="AbortError"&&o({...Be,error:l})),()=>d.abort()},[e,i,s,c]);let p=je(()=>r(d=>d+1),[]);return{...n,retry:p}}function ee(e,t,n){let[o,s]=y({bodies:[],error:null,isLoading:!0,nextArgs:null}),r=T(null),c=JSON.stringify(t),i=je(({signal:d},l,m)=>{s({bodies:m,error:null,isLoading:!0,nextArgs:l}),Q(e,l,d).then(({body:f})=>s({bodies:[...m,f],error:null,isLoading:!1,nextArgs:n(f,l)}),f=>f.name!=="AbortError"&&s({bodies:m,error:f,isLoading:!1,nextArgs:l}))},[e]);w(()=>(r.current=new AbortController,i(r.current,JSON.parse(c),[]),()=>r.current.abort()),[i,c]);let p=()=>{!o.isLoading&&o.nextArgs&&i(r.current,o.nextArgs,o.bodies)};return{...o,hasMore:o.nextArgs!==null,more:p}}function te(e,t=250){let[n,o]=y(e);return w(()=>{let s=setTimeout(()=>o(e),t);return()=>clearTimeout(s)},[e,t]),n}function _e(e){let[t,n]=y({module:null});if(w(()=>{e().then(o=>n({module:o}),o=>n({error:o}))},[]),t.error)throw t.error;return t.module}function Nn(e,t){let n=T(null),o=T(e);return o.current=e,w(()=>{if(!t||!n.current)return;let s=new IntersectionObserver(r=>r.some(c=>c.isIntersecting)&&o.current(),{rootMargin:"400px"});return s.observe(n.current),()=>s.disconnect()}),n}function Pn(e){w(()=>()=>pe.set([]),[e])}var Uo=/^octx_[0-9A-Za-z]{40}$/,Ho="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.";function ge({onDone:e,action:t="Explore"}){let n=T(null),[o,s]=y("");return a`<form class="key" onSubmit=${c=>{c.preventDefault();let i=n.current.value.trim();return n.current.value="",Uo.test(i)?(s(""),En(i),e?.()):s(Ho)}} autocomplete="off">
    <label>API key
      <input ref=${n} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${o?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${o?a`<span class="error" role="alert">${o}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var Bo=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),Wo=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),zo=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Vo=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Ko=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),Jo=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),Go=new Intl.NumberFormat(void 0,{maximumSignificantDigits:3}),Xo=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],ye=e=>t=>t==null?"unknown":e(t),U=ye(e=>Bo.format(new Date(e))),G=ye(e=>Wo.format(new Date(e))),vt=ye(e=>zo.format(new Date(e))),bt=ye(e=>Ko.format(e)),L=ye(e=>(e&&Math.abs(e)<.001?Go:Jo).format(e)),We=e=>e?bt(e):"unknown",wt=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function In(e){let[t,n]=jn(wt(e));return Vo.format(-n,t)}function Dn(e){let[t,n]=jn(e*1.001);return`${n} ${t}${n===1?"":"s"}`}var Ae=ye(e=>{let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),n=e/1e3**t;return`${t&&n<10?n.toFixed(1):Math.round(n)} ${["B","kB","MB","GB","TB"][t]}`});function Ln(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var Rn=e=>e.replace(/\B(?=(\d{3})+$)/g," "),Fn=e=>e.replaceAll("_"," ");function jn(e){let[t,n]=Xo.find(([,o])=>e>=o)??["second",1];return[t,Math.floor(e/n)]}var Un={current:a`<circle cx="8" cy="8" r="5" />`,available:a`<circle cx="8" cy="8" r="5" />`,ready:a`<circle cx="8" cy="8" r="5" />`,stale:a`<path d="M8 2.5 14 13H2Z" />`,collecting:a`<path d="M8 2.5 14 13H2Z" />`,synthetic:a`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:a`<path d="M3.5 3.5h9v9h-9Z" />`,error:a`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:a`<circle class="hollow" cx="8" cy="8" r="4.5" />`},Wn={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function Oe({status:e,...t}){let n=Wn[e]??e;return a`<svg class="shape tone-${n}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${Un[e]??Un.not_connected}
  </svg>`}function ve({status:e}){return a`<span class="status tone-${Wn[e]??e}"><${Oe} status=${e} />${Fn(e)}</span>`}function M({at:e,children:t}){return e?a`<time datetime=${e} title=${G(e)}>${t??In(e)}</time>`:a`<span class="quiet">never</span>`}var xt=e=>new RegExp(`(${e.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");function H({text:e,term:t}){return t?e.split(xt(t)).map((n,o)=>o%2?a`<mark>${n}</mark>`:n):e}function F({meta:e}){let{status:t,updatedAt:n,note:o}=e.freshness;return a`<p class="freshness">
    <${ve} status=${t} />
    ${n&&a`<span>updated <${M} at=${n} /></span>`}
    ${o&&a`<span class="quiet" dir="auto">${o}</span>`}
  </p>`}function ne({pagination:e,page:t,onPage:n}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:o,total:s,hasNextPage:r}=e;return a`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>n(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(o,1)} <span class="quiet">· ${s} in all</span></span>
    <button type="button" disabled=${!r} onClick=${()=>n(t+1)}>Next</button>
  </nav>`}function ze({text:e,label:t="Copy"}){let[n,o]=y(!1),s=async()=>{await navigator.clipboard.writeText(e),o(!0),setTimeout(o,1600,!1)};return navigator.clipboard?a`<button type="button" class="copy" onClick=${s}>
    <span aria-live="polite">${n?"Copied":t}</span>
  </button>`:null}function Ve({text:e,label:t}){return a`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${ze} text=${e} />
  </div>`}function C(){return a`<p class="loading" role="status">Loading …</p>`}function R({children:e}){return a`<p class="empty">${e}</p>`}function O({error:e,retry:t,isWhole:n}){let{status:o}=e,s=Hn[o]??Hn[o>=500||o===0?503:400],r=e.message.replace(/\s*Retry (in|with) [^.]*\.$/,"");return a`<div class="trouble" role="alert">
    ${n?a`<h1>${s.title}</h1>`:a`<h2>${s.title}</h2>`}
    ${r&&a`<p dir="auto">${r}</p>`}
    ${s.what&&a`<p>${s.what}</p>`}
    <p class="actions">
      ${o===401&&!B&&a`<button type="button" onClick=${Te}>Use another key</button>`}
      ${o===429&&a`<${Zo} until=${e.retryAt} retry=${t} />`}
      ${(o===0||o>=500)&&a`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&a`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Hn={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work"},403:{title:"This key may not read this",what:"With more scopes, the key itself stays the same."},404:{title:"Not found"},409:{title:"The stored data does not match"},429:{title:"Too many requests"},503:{title:"The service could not answer",what:"No data is lost."}};function Zo({until:e,retry:t}){let[n,o]=y(()=>Bn(e));return w(()=>{let s=setInterval(()=>o(Bn(e)),250);return()=>clearInterval(s)},[e]),a`<button type="button" disabled=${n>0} onClick=${t}>
    ${n>0?`Try again in ${n} s`:"Try again"}
  </button>`}var Bn=e=>Math.max(0,Math.ceil((e-Date.now())/1e3)),kt=new z(null);function St(e){kt.set(e)}function j({url:e,children:t}){return a`<button type="button" class="outbound" dir="auto" onClick=${()=>St(e)}>${t??e}</button>`}function zn(){let e=b(kt),t=T(null);w(()=>{e&&t.current.showModal()},[e]);let n=()=>t.current.close(),o=/^(https?|mailto):/i.test(e??"");return a`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>kt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${o&&a`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${n}>Open in a new tab</a>`}
      <${ze} text=${e??""} label="Copy address" />
      <button type="button" onClick=${n}>Close</button>
    </p>
  </dialog>`}var Ke={curl:{title:"curl",text:Qo},mcp:{title:"MCP",text:er},python:{title:"Python",text:tr},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function Je({operations:e}){let t=b(pe),[n,o]=y(null),[s,r]=y("curl");if(w(()=>o(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),i=n??t.reduce((d,l)=>c(l)>c(d)?l:d),p=()=>Q(i.operation.name,i.args).catch(()=>{});return a`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${i.path}</code>
        <${Yo} exchange=${i} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&a`<label class="field">Request
          <select value=${t.indexOf(i)} onChange=${d=>o(t[d.target.value])}>
            ${t.map((d,l)=>a`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${i.status===304?"304, unchanged":i.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${i.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${i.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${i.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Ke).map(([d,{title:l}])=>a`<button type="button" aria-pressed=${s===d} onClick=${()=>r(d)}>${l}</button>`)}
          <span class="spread"></span>
          <a href=${g("reference",i.operation.name)}>Reference</a>
          <button type="button" class="again" onClick=${p}>Send again</button>
          <${ze} text=${Ke[s].text(i)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Ke[s].title}><code>${Ke[s].text(i)}</code></pre>
      </div>
    </details>
  </section>`}function Yo({exchange:{status:e,milliseconds:t}}){return a`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function Vn(){let e=b(He),[t,n]=y(Date.now());if(w(()=>{let i=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(i)},[]),!e)return null;let o=e.resetAt<=t,s=o?e.limit:e.remaining,r=Math.ceil((e.resetAt-t)/1e3),c=o?"A new minute has begun; all requests are left.":`Requests that the key has left in this minute. Resets in ${r} s`;return a`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${s} aria-label="Requests left"></meter>
    <span>${s} of ${e.limit}<span class="unit"> requests</span> left</span>
  </span>`}function Qo({path:e}){return`curl -sS '${Kn(e)}' \\
  -H "Authorization: Bearer $${S.variable}"`}function er({operation:e,args:t}){let n={name:e.name,arguments:qn(e,t)},o=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:n},null,2);return`curl -sS '${S.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${S.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${o}
EOF`}function tr({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${Kn(e)}",
    headers={"Authorization": f"Bearer {os.environ['${S.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var Kn=e=>`${S.baseUrl}${e.replaceAll("'","%27")}`;var Jn="./icon-KB2SD46C.svg";var Tt={};J(Tt,{Activity:()=>Ct,shows:()=>ur});var Gn=302400,Xn=190,or=76,rr=[1,2,5].flatMap(e=>Array.from({length:12},(t,n)=>e*10**n)).sort((e,t)=>e-t),sr=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Ge=matchMedia("(prefers-color-scheme: dark)");function Zn({weeks:e,counts:t,unit:n}){return a`<figure class="chart">
    <${ir} weeks=${e} counts=${t} />
    <figcaption><p role="status">${ar(e,t,n)}</p></figcaption>
    <details class="more">
      <summary>As a table</summary>
      <table class="simple">
        <thead><tr><th scope="col">Week from</th><th scope="col">${n}</th></tr></thead>
        <tbody>${e.map(({start:o},s)=>a`<tr><th scope="row">${U(o)}</th>
          <td>${t[s]===null?a`<span class="quiet">not counted</span>`:L(t[s])}</td></tr>`)}</tbody>
      </table>
    </details>
  </figure>`}function ar(e,t,n){let o=t.filter(i=>i!==null);if(!o.length)return"No week is counted.";let s=Math.max(...o),r=L(o.reduce((i,p)=>i+p,0)),c=s?` The most, ${L(s)}, in the week from ${U(e[t.indexOf(s)].start)}.`:"";return`${r} ${n} in ${o.length} ${o.length===1?"week":"weeks"}.${c}`}function ir({weeks:e,counts:t}){let n=T(null),o=_e(()=>import("./uplot-FFLBSSUY.js")),s=lr(),r=[e.map(({start:c})=>c/1e3),t];return w(()=>{if(!o)return;let c=n.current,i=new o.uPlot(cr(o.uPlot,c),r,c),p=new ResizeObserver(()=>i.setSize({width:c.clientWidth,height:Xn}));return p.observe(c),()=>{p.disconnect(),i.destroy()}},[o,s,JSON.stringify(r)]),a`<div class="plot" dir="ltr" ref=${n} aria-hidden="true"></div>`}function cr(e,t){let n=r=>getComputedStyle(t).getPropertyValue(r),o={stroke:n("--quiet"),font:`13px ${n("--sans")}`,ticks:{show:!1}},s=({width:r,data:[c]})=>c.filter((i,p)=>(c.length-1-p)%Math.ceil(c.length*or/r)===0);return{width:t.clientWidth,height:Xn,legend:{show:!1},cursor:{show:!1},scales:{x:{range:(r,c,i)=>[c-Gn,i+Gn]},y:{range:(r,c,i)=>[0,Math.max(4,i*1.1)]}},axes:[{...o,size:34,grid:{show:!1},splits:s,values:(r,c)=>c.map(i=>sr.format(1e3*i))},{...o,grid:{stroke:n("--line"),width:1},incrs:rr,values:(r,c)=>c.map(L)}],series:[{},{fill:n("--accent"),stroke:n("--accent"),width:0,points:{show:!1},paths:e.paths.bars({size:[.7,48]})}]}}function lr(){let[e,t]=y(Ge.matches);return w(()=>{let n=()=>t(Ge.matches);return Ge.addEventListener("change",n),()=>Ge.removeEventListener("change",n)},[]),e}function Yn(e,t){let n=new Date(e);n.setHours(0,0,0,0),n.setDate(n.getDate()-(n.getDay()+6)%7);let o=s=>{let r=new Date(n);return r.setDate(r.getDate()+7*s),r};return Array.from({length:t},(s,r)=>({start:o(r-t+1),end:o(r-t+2)}))}function Qn(e,t,n){let o=t.map(s=>new Date(s));return e.map(({start:s,end:r})=>s<n?null:o.filter(c=>c>=s&&c<r).length)}var ur=()=>"messages and mentions per week",pr=12,eo=100,to=10;function Ct(){let e=b(he),t=n=>!e||le(n).scopes.some(o=>e.includes(o));return a`
    <h1>Activity</h1>
    ${t("list_telegram_messages")&&a`<${dr} />`}
    ${t("list_x_mentions")&&a`<${mr} />`}
    <section aria-labelledby="history">
      <h2 id="history">Freshness</h2>
      <p class="quiet">The API gives the last update of each source and no earlier ones, so there is no history to draw.
        The <a href=${g("explore")}>overview</a> shows how old each source is.</p>
    </section>
  `}function dr(){let{query:e}=b(D),{body:t,error:n,retry:o}=N("list_telegram_chats",{}),s=t?.data.find(r=>r.id===e.chat)??t?.data[0];return a`<section aria-labelledby="messages">
    <h2 id="messages">Messages per week</h2>
    ${n&&a`<${O} error=${n} retry=${o} />`}
    ${!t&&!n&&a`<${C} />`}
    ${t&&!s&&a`<${R}>No linked chat is approved.<//>`}
    ${s&&a`
      <div class="filters"><label class="field wide">Chat
        <select value=${s.id} onChange=${r=>A({chat:r.target.value})}>
          ${t.data.map(({id:r,title:c})=>a`<option value=${r}>${c}</option>`)}
        </select></label></div>
      <${fr} key=${s.id} chat=${s} />`}
  </section>`}function no({unit:e,operation:t,args:n,moment:o,next:s}){let[r,c]=y(1),{bodies:i,error:p,isLoading:d,hasMore:l,more:m}=ee(t,{...n,limit:eo},s),f=i.flatMap(({data:$})=>$.map(o)),u=Yn(f[0]??Date.now(),pr),h=new Date(f.at(-1)??Date.now()),k=l&&h>u[0].start,_=k&&!d&&!p&&i.length<r;return w(()=>{_&&m()},[_,i.length]),p?a`<${O} error=${p} retry=${m} />`:d||_?a`<${C} />`:f.length?a`
    <${Zn} weeks=${u} counts=${Qn(u,f,k?h:0)} unit=${e} />
    ${k&&a`<p class="actions"><span class="quiet">The newest ${f.length} ${e} are counted.</span>
      <button type="button" onClick=${()=>c(i.length+to)}>Count ${to*eo} more</button></p>`}
  `:a`<${R}>None is stored.<//>`}function fr({chat:e}){return a`<${no} unit="messages" operation="list_telegram_messages" args=${{chatId:e.id}} moment=${({sentAt:t})=>t}
    next=${({pagination:t},n)=>t.hasMore?{...n,before:t.nextBefore}:null} />`}function mr(){return a`<section aria-labelledby="mentions">
    <h2 id="mentions">Mentions per week</h2>
    <${no} unit="mentions" operation="list_x_mentions" args=${{page:1}} moment=${({createdAt:e})=>e}
      next=${({pagination:e},t)=>e.hasNextPage?{...t,page:t.page+1}:null} />
  </section>`}var Ot={};J(Ot,{Assets:()=>At,operations:()=>$r,shows:()=>hr});var $r=["list_assets","read_asset"],hr=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",_r=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function At({values:e}){return a`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${oo} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?a`<${yr} id=${e[0]} />`:a`<${R}>Select a file or a folder.<//>`}</div>
    </div>
  `}function oo({id:e,isRoot:t,chosen:n}){let{bodies:o,error:s,isLoading:r,hasMore:c,more:i}=ee("list_assets",{folderId:e},_r),p=o.flatMap(d=>d.data);return a`
    ${s&&a`<${O} error=${s} retry=${i} />`}
    ${!r&&!s&&!p.length&&a`<p class="quiet">Empty.</p>`}
    <ul>${p.map(d=>a`<${gr} key=${d.id} asset=${d} chosen=${n} />`)}</ul>
    ${r&&a`<${C} />`}
    ${c&&!r&&a`<button type="button" class="more" onClick=${i}>Load more</button>`}
    ${t&&o[0]&&a`<${F} meta=${o[0].meta} />`}
  `}function gr({asset:e,chosen:t}){let[n,o]=y(!1),s=a`<a href=${g("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?a`<li class="file">${s} <span class="quiet">${Ae(e.bytes)}</span>${e.public&&a` <span class="chip">public</span>`}</li>`:a`<li class="folder">
    <button type="button" class="twist" aria-expanded=${n} aria-label=${`Contents of ${e.name}`} onClick=${()=>o(!n)}></button>
    ${s}
    ${n&&a`<${oo} id=${e.id} chosen=${t} />`}
  </li>`}function yr({id:e}){let{body:t,error:n,retry:o}=N("read_asset",{id:e});if(n)return a`<${O} error=${n} retry=${o} />`;if(!t)return a`<${C} />`;let{data:s}=t,r=(c,i)=>a`<div><dt>${c}</dt><dd dir="auto">${i}</dd></div>`;return a`<section class="card" aria-label="Selected">
    <p class="eyebrow">${s.kind}</p>
    <h2 dir="auto">${s.name}</h2>
    <dl class="facts">
      ${s.kind==="file"&&r("Size",`${Ae(s.bytes)} (${s.bytes} bytes)`)}
      ${s.mime&&r("Type",s.mime)}
      ${r("Visible",s.public?"to everybody":"to the organization")}
      ${s.publicUrl&&r("Address",a`<${j} url=${s.publicUrl} />`)}
      ${s.uploadedBy&&r("From",s.uploadedBy.displayName??s.uploadedBy.id)}
      ${r("Created",G(s.createdAt))}
      ${r("Changed",G(s.updatedAt))}
      ${s.parentId&&r("In",a`<a href=${g("explore","assets",[s.parentId])}>its folder</a>`)}
      ${r("Id",a`<code>${s.id}</code>`)}
    </dl>
    <${F} meta=${t.meta} />
  </section>`}var Et={};J(Et,{Chats:()=>Mt,operations:()=>qt,queries:()=>br,shows:()=>vr});var qt=["list_telegram_chats","list_telegram_messages"],vr=({values:[e],query:{around:t,q:n}})=>e?n?`the messages of a chat that contain “${n}”`:t?`message ${t} of a chat, between its neighbors`:"the messages of a chat":"the linked chats",br={list_telegram_messages:kr},wr=2**31-1;function kr({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function Mt({values:e,query:t}){let{before:n,around:o}=t;return e[0]?a`<${Sr} key=${`${e[0]} ${n} ${o}`} id=${e[0]} before=${n} around=${o} />`:a`<${xr} />`}function xr(){let{query:e}=b(D),t=Number(e.page??1),{body:n,error:o,retry:s}=N("list_telegram_chats",{page:t});return o?a`<${O} isWhole error=${o} retry=${s} />`:n?a`
    <h1>Chats</h1>
    ${!n.data.length&&a`<${R}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${n.data.map(r=>a`<li class="card" key=${r.id}>
        <p class="eyebrow">${r.type}</p>
        <h2 dir="auto"><a href=${g("explore","chats",[r.id])}>${r.title}</a></h2>
        ${r.username&&a`<p class="quiet" dir="ltr">@${r.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${L(r.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${We(r.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${M} at=${r.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${U(r.linkedAt)}</p>
      </li>`)}
    </ul>
    <${ne} pagination=${n.pagination} page=${t} onPage=${r=>A({page:r})} />
    <${F} meta=${n.meta} />
  `:a`<${C} />`}function Sr({id:e,before:t,around:n}){let{query:o}=b(D),s=te(o.q??""),c=N("list_telegram_chats",{}).body?.data.find($=>$.id===e),{bodies:i,error:p,isLoading:d,hasMore:l,more:m}=ee("list_telegram_messages",{chatId:e,q:s,...s?{}:{before:t,around:n}},({pagination:$})=>$.hasMore?{chatId:e,q:s,before:$.nextBefore}:null),f=i.flatMap($=>$.data).reverse(),u=s?null:Number(n)||null,h=f.some($=>$.id===u),k=Cr(f.length),_=$=>g("explore","chats",[e],{around:$});return a`
    <p class="crumb"><a href=${g("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${$=>$.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${o.q??""} dir="auto" onInput=${$=>A({q:$.target.value})} /></label>
      ${(t||n)&&a`<a class="button" href=${g("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${p&&a`<${O} error=${p} retry=${m} />`}
    ${i[0]?.pagination.searchLimited&&a`<p class="quiet">Only the newest messages were searched.</p>`}
    ${u&&f.length>0&&!h&&a`<p class="quiet" role="status">Message ${u} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${k} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?a`<${C} />`:l?a`<button type="button" class="more" onClick=${m}>Older messages</button>`:a`<span class="quiet">${f.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${f.map(($,v)=>a`<${Tr} key=${$.id} message=${$} previous=${f[v-1]}
        quoted=${f.find(P=>P.id===$.replyToMessageId)} term=${s} isHit=${$.id===u} link=${_} />`)}</ol>
      ${u&&f.at(-1)?.id>u&&a`<p class="older"><a class="button" href=${_(f.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${i[0]&&a`<${F} meta=${i[0].meta} />`}
  `}function Cr(e){let t=T(null),n=T(null);return Se(()=>{let o=t.current;if(!e)return;let s=o.scrollHeight>o.clientHeight,r=s?o:document.scrollingElement,c=s?o:document,i=()=>{n.current=r.scrollHeight-r.clientHeight-r.scrollTop},p=n.current===null&&o.querySelector("[aria-current]");return p?p.scrollIntoView({block:"center"}):r.scrollTop=r.scrollHeight-r.clientHeight-(n.current??0),i(),c.addEventListener("scroll",i,{passive:!0}),()=>c.removeEventListener("scroll",i)},[e]),t}function Tr({message:e,previous:t,quoted:n,term:o,isHit:s,link:r}){let{id:c,sender:i,text:p,detail:d,kind:l,file:m,sentAt:f,editedAt:u,replyToMessageId:h}=e,k=!t||U(t.sentAt)!==U(f),_=k||t.sender.name!==i.name;return a`
    ${k&&a`<li class="day">${U(f)}</li>`}
    <li class=${`message${s?" hit":""}`} aria-current=${s?"true":void 0}>
      ${_&&a`<p class="sender" dir="auto">${i.name} ${i.username&&a`<span class="quiet" dir="ltr">@${i.username}</span>`}</p>`}
      <div class="bubble">
        ${h!==null&&a`<p class="quoted" dir="auto"><${Ar} id=${h} quoted=${n} link=${r} /></p>`}
        ${l!=="text"&&a`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${Or} file=${m} term=${o} /></p>`}
        ${d&&a`<p class="quiet" dir="auto"><${H} text=${d} term=${o} /></p>`}
        ${p&&a`<p class="text" dir="auto"><${H} text=${p} term=${o} /></p>`}
        <p class="when"><a href=${r(c)} aria-label=${`Message ${c}, ${G(f)}`}><${M} at=${f}>${vt(f)}<//></a>${u&&a` <span>edited <${M} at=${u}>${vt(u)}<//></span>`}</p>
      </div>
    </li>`}function Ar({id:e,quoted:t,link:n}){let o=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=wr?a`<a href=${n(e)}>${o}</a>`:o}function Or({file:e,term:t}){if(!e)return null;let{fileName:n,width:o,height:s,duration:r,mimeType:c,fileSize:i,sticker:p}=e,d=[p,o&&s&&`${o} × ${s}`,r!==null&&Ln(r),c,i!==null&&Ae(i)];return a`${n&&a`<${H} text=${n} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function ro({view:e}){let t=S.clients.find(n=>n.name===e)??S.clients[0];return a`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${S.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${S.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${S.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${S.clients.map(({name:n,title:o})=>a`<li><a href=${g("connect",n)} aria-current=${n===t.name?"page":void 0}>${o}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${Ve} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name} --base-url ${S.baseUrl}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var Pt={};J(Pt,{Knowledge:()=>Nt,operations:()=>Er,shows:()=>Nr});function Xe({text:e,term:t}){let n=_e(()=>import("./markdown-Y5HIW46E.js")),o=T(null);return Se(()=>{if(!n)return;let s=n.renderedLine(e);t&&qr(s,t),o.current.replaceChildren(s)},[n,e,t]),n?a`<p key="line" dir="auto" ref=${o}></p>`:a`<p key="text" dir="auto">${e}</p>`}function qr(e,t){let n=document.createTreeWalker(e,NodeFilter.SHOW_TEXT),o=[];for(;n.nextNode();)o.push(n.currentNode);for(let s of o){let r=s.data.split(xt(t));r.length>1&&s.replaceWith(...r.map((c,i)=>i%2?Mr(c):c))}}function Mr(e){let t=document.createElement("mark");return t.textContent=e,t}var so=new Map;function ao(e,t,n={}){for(let o of t)so.set(o,{view:e,toQuery:n[o]??(s=>s)})}function oe(e){let t=Ue(e),n=t&&so.get(t.operation.name);if(!n)return null;let{limit:o,...s}=n.toQuery(Object.fromEntries(t.query));return g("explore",n.view,t.values,s)}var Er=["list_knowledge","read_knowledge"],Nr=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,Pr={"":"Everything",source:"Documents",note:"Notes"},Ir={"":"Public and team",public:"Public",team:"Team"};function Nt({values:e}){return e[0]?a`<${Fr} key=${e[0]} id=${e[0]} />`:a`<${Dr} />`}function Dr(){let{query:e}=b(D),t=te(e.q??""),n=Number(e.page??1),{kind:o,visibility:s,archived:r}=e,{body:c,error:i,retry:p}=N("list_knowledge",{q:t,kind:o,visibility:s,archived:r,page:n}),d=(l,m)=>a`<select value=${e[l]??""} onChange=${f=>A({[l]:f.target.value,page:""})}>
    ${Object.entries(m).map(([f,u])=>a`<option value=${f}>${u}</option>`)}
  </select>`;return a`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>A({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",Pr)}</label>
      <label class="field">For ${d("visibility",Ir)}</label>
      <label class="check"><input type="checkbox" checked=${r==="true"}
        onChange=${l=>A({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${i&&a`<${O} error=${i} retry=${p} />`}
    ${!c&&!i&&a`<${C} />`}
    ${c&&a`
      ${!c.data.length&&a`<${R}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>a`<${Lr} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${ne} pagination=${c.pagination} page=${n} onPage=${l=>A({page:l})} />
      <${F} meta=${c.meta} />`}
  `}function Lr({item:e,term:t}){return a`<li>
    <h2 dir="auto"><a href=${g("explore","knowledge",[e.id])}><${H} text=${e.title} term=${t} /></a></h2>
    <${Xe} text=${e.preview} term=${t} />
    <${io} item=${e} />
  </li>`}function io({item:e}){let{source:t,sourceLabel:n,sourceHref:o,sourceStatus:s,visibility:r,archived:c,updatedAt:i}=e;return a`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${o?a`<${Rr} href=${o} label=${n} />`:n}</span>
    <${M} at=${i} />
    ${r==="team"&&a`<span class="chip">team</span>`}
    ${c&&a`<span class="chip">archived</span>`}
    ${s!=="current"&&a`<span class="chip">${s}</span>`}
  </p>`}function Rr({href:e,label:t}){let n=oe(e);return n?a`<a href=${n}>${t}</a>`:a`<${j} url=${e}>${t}<//>`}function Fr({id:e}){let[t,n]=y(!1),{bodies:o,error:s,isLoading:r,hasMore:c,more:i}=ee("read_knowledge",{id:e},f=>{let{nextOffset:u}=f.data.contentRange;return u===null?null:{id:e,offset:u}}),p=Nn(i,c&&!r&&!s),d=o[0]?.data,l=o.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return a`
    <p class="crumb"><a href=${g("explore","knowledge")}>Library</a></p>
    ${d&&a`
      <article class="document" aria-busy=${r}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${io} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${L(m)} of ${L(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&a`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>n(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>n(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?a`<div class="plain-text" dir="auto">${o.map(f=>f.data.content).join("")}</div>`:a`<${jr} bodies=${o} isWhole=${!c} />`}
        <footer class="quiet">Created ${U(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${F} meta=${o[0].meta} />`}
    ${s&&a`<${O} isWhole=${!d} error=${s} retry=${i} />`}
    ${r&&a`<${C} />`}
    <div ref=${p}></div>
  `}function jr({bodies:e,isWhole:t}){let n=T(null),o=T({count:0,rest:"",env:{}}),s=_e(()=>import("./markdown-Y5HIW46E.js"));w(()=>{if(!s)return;let{cut:c,rendered:i}=s,p=o.current;p.tail?.forEach(m=>m.remove()),p.tail=null,p.rest+=e.slice(p.count).map(m=>m.data.content).join(""),p.count=e.length;let[d,l]=t?[p.rest,""]:c(p.rest);if(d&&n.current.append(i(d,p.env)),p.rest=l,l){let m=i(l,{...p.env});p.tail=[...m.childNodes],n.current.append(m)}},[s,e.length,t]);let r=c=>{let i=c.target.closest("button.outbound");i&&St(i.address)};return a`${!s&&a`<${C} />`}<div class="prose" ref=${n} onClick=${r}></div>`}var Lt={};J(Lt,{Mentions:()=>Dt,operations:()=>It,shows:()=>Ur});var It=["list_x_mentions"],Ur=()=>"the posts that mention the organization";function Dt(){let{query:e}=b(D),t=Number(e.page??1),{body:n,error:o,retry:s}=N("list_x_mentions",{page:t});return a`
    <h1>Mentions</h1>
    ${o&&a`<${O} error=${o} retry=${s} />`}
    ${!n&&!o&&a`<${C} />`}
    ${n&&a`
      <${F} meta=${n.meta} />
      ${!n.data.length&&a`<${R}>No post is stored.<//>`}
      <ul class="cards posts">${n.data.map(r=>a`<${Hr} key=${r.id} post=${r} />`)}</ul>
      <${ne} pagination=${n.pagination} page=${t} onPage=${r=>A({page:r})} />`}
  `}function Hr({post:e}){let{author:t,text:n,createdAt:o,metrics:s,media:r,quoted:c,isReply:i,isRepost:p,url:d}=e,l=Object.values(s).some(Boolean),m=(f,u)=>f==="views"||!l?We(u):bt(u);return a`<li class="card">
    <p class="byline"><${co} author=${t} /> <${M} at=${o} />
      ${i&&a`<span class="chip">reply</span>`}${p&&a`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${n}</p>
    ${r.length>0&&a`<ul class="plain-list media">${r.map(f=>a`<li><span class="kind">${f.type}</span> <${j} url=${f.url} />
      ${f.previewUrl!==f.url&&a`<${j} url=${f.previewUrl} />`}</li>`)}</ul>`}
    ${c&&a`<blockquote><p class="byline"><${co} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${j} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(s).map(([f,u])=>a`<div><dt>${f}</dt><dd title=${L(u)}>${m(f,u)}</dd></div>`)}</dl>
    <p class="byline"><${j} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function co({author:e}){return a`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var jt={};J(jt,{Overview:()=>Ft,operations:()=>Kr,shows:()=>Jr});var Rt=60,Br=3*31557600,lo=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Ze=360;function qe(e){let t=Math.log(Math.max(e,Rt)/Rt)/Math.log(Br/Rt);return Math.round(10+Math.min(1,t)*(Ze-20))}function uo({sources:e}){return e.length?a`<section class="freshness-picture" aria-labelledby="freshness-title">
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
          <th scope="col" class="line"><span class="sr">On a time axis</span><${zr} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>a`<${Wr} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:a`<${R}>No source is approved for this key. An owner or admin can approve sources.<//>`}function Wr({source:e}){let{label:t,kind:n,count:o,description:s,href:r,status:c,updatedAt:i,staleAfterSeconds:p}=e,d=oe(r);return a`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?a`<a href=${d}><${H} text=${t} /></a>`:t}</span>
      <span class="kind">${n}${o!==void 0&&` · ${o}`}</span>
      <span class="quiet about" dir="auto">${s}</span>
    </th>
    <td><${ve} status=${c} /></td>
    <td><${M} at=${i} /><span class="quiet about">${p===void 0?"no freshness target":`stale after ${Dn(p)}`}</span></td>
    <td class="line"><${Vr} status=${c} updatedAt=${i} target=${p} /></td>
  </tr>`}function zr(){return a`<svg viewBox="0 0 ${Ze} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${lo.map(([e,t])=>a`<text x=${qe(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function Vr({status:e,updatedAt:t,target:n}){let o=t?qe(wt(t)):null,s=n===void 0?null:qe(n),r=s!==null&&o!==null&&o>s;return a`<svg viewBox="0 0 ${Ze} 28" aria-hidden="true" class="age tone-${e}">
    ${lo.map(([c])=>a`<line class="tick" x1=${qe(c)} x2=${qe(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Ze-10} y1="14" y2="14" />
    ${s!==null&&a`<rect class="promise" x="10" y="8" width=${s-10} height="12" rx="3" />`}
    ${r&&a`<line class="late" x1=${s} x2=${o} y1="14" y2="14" />`}
    ${o!==null&&a`<${Oe} status=${e} x=${o-10} y="4" width="20" height="20" />`}
  </svg>`}var Kr=["get_context","list_sources"],Jr=()=>"the organization, its sources, and how fresh each of them is";function Ft(){let{body:e,error:t,retry:n}=N("get_context",{});if(t)return a`<${O} isWhole error=${t} retry=${n} />`;if(!e)return a`<${C} />`;let{organization:o,grantedScopes:s,sources:r,connections:c}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${o.displayName??"Organization"}</h1>
      <p class="quiet">
        ${o.slug&&a`<code>${o.slug}</code> · `}
        ${o.createdAt&&a`since ${U(o.createdAt)} · `}
        ${r.length} ${r.length===1?"source":"sources"}
      </p>
      ${!o.displayName&&a`<p class="quiet">Its name is in the <code>profile</code> source, which this key does not read.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${s.map(i=>a`<li class="chip"><code>${i}</code></li>`)}
      </ul>
    </div>
    <${uo} sources=${r} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${o.id}</code></dd></div>
        ${r.map(({id:i,label:p,href:d})=>a`<div><dt dir="auto">${p}</dt><dd><code>${i}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([i,p])=>a`<div><dt>${i}</dt><dd>${Gr(p)}</dd></div>`)}
      </dl>
    </details>
  `}function Gr(e){return Object.entries(e).filter(([,n])=>n!==null&&typeof n!="object").map(([n,o])=>`${n} ${o}`).join(", ")}var Ht={};J(Ht,{People:()=>Ut,operations:()=>Xr,shows:()=>Zr});var Xr=["list_people","read_person"],Zr=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function Ut({values:e}){return e[0]?a`<${Qr} key=${e[0]} id=${e[0]} />`:a`<${Yr} />`}function Yr(){let{query:e}=b(D),t=te(e.q??""),n=Number(e.page??1),{body:o,error:s,retry:r}=N("list_people",{q:t,page:n}),c=Math.max(1,...(o?.data??[]).map(i=>i.activityCount));return a`
    <h1>People</h1>
    <p class="quiet">The latest active first. The bar shows how many messages and posts each of them wrote.</p>
    <form class="filters" role="search" onSubmit=${i=>i.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${i=>A({q:i.target.value,page:""})} /></label>
    </form>
    ${s&&a`<${O} error=${s} retry=${r} />`}
    ${!o&&!s&&a`<${C} />`}
    ${o&&a`
      ${o.pagination.searchLimited&&a`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!o.data.length&&a`<${R}>No person in an approved source matches.<//>`}
      <ul class="people">${o.data.map(i=>a`<li key=${i.key}>
        <a href=${g("explore","people",[i.key])} dir="auto"><${H} text=${i.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${i.username?a`@<${H} text=${i.username} term=${t} />`:""}</span>
        <span class="kind">${i.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${i.activityCount} aria-label="Activity"></meter> ${L(i.activityCount)}</span>
        <span class="quiet"><${M} at=${i.lastActiveAt} /></span>
      </li>`)}</ul>
      <${ne} pagination=${o.pagination} page=${n} onPage=${i=>A({page:i})} />
      <${F} meta=${o.meta} />`}
  `}function Qr({id:e}){let{body:t,error:n,retry:o}=N("read_person",{key:e});if(n)return a`<${O} isWhole error=${n} retry=${o} />`;if(!t)return a`<${C} />`;let{data:s}=t;return a`
    <p class="crumb"><a href=${g("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${s.platform}${s.verified&&" · verified"}</p>
      <h1 dir="auto">${s.displayName}</h1>
      <p class="quiet">
        ${s.username&&a`<span dir="ltr">@${s.username}</span> · `}
        ${L(s.activityCount)} in all · since ${U(s.firstActiveAt)} · last <${M} at=${s.lastActiveAt} />
      </p>
      ${s.profileUrl&&a`<p><${j} url=${s.profileUrl} /></p>`}
      <p class="quiet"><code>${s.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${s.sources.map(r=>a`<li key=${r.sourceId}>
      <span dir="auto">${r.label}</span> <span class="quiet">${L(r.activityCount)} · last <${M} at=${r.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${s.recentActivity.map(r=>a`<li key=${r.id}>
      <p class="byline"><span class="kind">${r.kind}</span> <${M} at=${r.at} /></p>
      <p dir="auto"><${es} one=${r} /></p>
    </li>`)}</ol>
    <${F} meta=${t.meta} />
  `}function es({one:e}){let t=oe(e.href),n=e.preview||`without text (${e.id})`;return t?a`<a href=${t}>${n}</a>`:e.href?a`<${j} url=${e.href}>${n}<//>`:n}var Bt=null;function fo({view:e}){let[{spec:t,isFailed:n},o]=y({}),s=b(V);return w(()=>{Bt??=fetch("api/v1/openapi.json").then(r=>r.json()),Bt.then(r=>o({spec:r}),()=>{Bt=null,o({isFailed:!0})})},[]),a`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The OpenAPI 3.1 document of this service: <a href="api/v1/openapi.json">api/v1/openapi.json</a></p>
      <p>Paths are below <code>${S.baseUrl}/api/v1</code>. Send the key in the header
        ${" "}<code>Authorization: Bearer API_KEY</code>. <a href=${g("connect")}>Connect</a> has programs to start from.</p>
    </div>
    ${!s&&a`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${ge} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${S.operations.map(({name:r,title:c})=>a`<li><a class="chip" href=${g("reference",r)} aria-current=${r===e?"page":void 0}>${c}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${n&&a`<p role="alert">The document could not be loaded. Reload the page to try again.</p>`}
    ${!t&&!n&&a`<${C} />`}
    ${t&&S.operations.map(r=>a`<${ts} key=${r.name} spec=${t} operation=${r} isChosen=${r.name===e} />`)}
    <${Je} operations=${[]} />
  `}function ts({spec:e,operation:t,isChosen:n}){let o=T(null),[s,r]=y(n);w(()=>{n&&(o.current.open=!0,o.current.firstElementChild.focus({preventScroll:!0}),o.current.scrollIntoView())},[n]);let c=()=>r(o.current.open),i=()=>o.current.open||history.replaceState(null,"",g("reference",t.name));return a`<details class="card operation" id="operation-${t.name}" ref=${o} onToggle=${c}>
    <summary onClick=${i}><span class="verb">GET</span> <code class="path">${t.path}</code> <h3>${t.title}</h3></summary>
    ${s&&a`<${ns} spec=${e} operation=${t} />`}
  </details>`}function ns({spec:e,operation:t}){let{description:n,parameters:o=[],responses:s}=e.paths[t.path].get,{schema:r,examples:c}=s[200].content["application/json"];return a`
    ${n.split(`

`).map(i=>a`<p><${Wt} text=${i} /></p>`)}
    <${os} operation=${t} parameters=${o.map(i=>zt(e,i))} />
    <h4>Responses</h4>
    <dl class="facts">${Object.entries(s).map(([i,p])=>a`<div><dt>${i}</dt><dd><${Wt} text=${zt(e,p).description} /></dd></div>`)}</dl>
    <${po} title="Example" of=${t.title} value=${Object.values(c)[0].value} />
    <${po} title="JSON Schema" of=${t.title} value=${Ye(e,r)} />
  `}function os({operation:e,parameters:t}){let[{exchange:n,isSent:o},s]=y({}),r=`parameter-${e.name}`;return a`<form class="trial" autocomplete="off" onSubmit=${i=>{i.preventDefault();let p=new FormData(i.target),d=Object.entries(e.arguments).map(([m,{path:f}])=>[m,p.get(f??m).trim()]),l=m=>s({exchange:m});s({isSent:!0}),Q(e.name,Object.fromEntries(d)).then(l,m=>l(m.exchange))}}>
    ${t.map(({name:i,description:p,required:d,schema:l,example:m})=>a`<div>
      <label for="${r}-${i}"><code>${i}</code></label>
      <${rs} id="${r}-${i}" name=${i} required=${d} schema=${l} example=${m} />
      <p class="quiet" id="${r}-${i}-note"><${Wt} text=${p} />${d?" Required.":""}${!d&&m!==void 0&&a` Example: <code>${String(m)}</code>`}</p>
    </div>`)}
    <p class="actions"><button class="primary" type="submit" disabled=${o}>Execute</button></p>
    <div role="status">${n&&a`<p class="tone-${n.status<400&&n.status?"current":"unavailable"}">${n.status||"No response"}</p>
      <pre tabindex="0" role="region" aria-label="Answer of ${e.name}"><code>${mo(n.body)}</code></pre>`}</div>
  </form>`}function rs({id:e,name:t,required:n,schema:o,example:s}){let r=o.type==="boolean"?["true","false"]:o.enum,c={id:e,name:t,required:n,"aria-describedby":`${e}-note`};return r?a`<select ...${c}><option value="">${o.default===void 0?"":`default: ${o.default}`}</option>${r.map(i=>a`<option>${i}</option>`)}</select>`:a`<input ...${c} defaultValue=${n?s:void 0} />`}function po({title:e,of:t,value:n}){return a`<details><summary>${e}</summary><pre tabindex="0" role="region" aria-label="${e}: ${t}"><code>${mo(n)}</code></pre></details>`}function Wt({text:e}){return e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:t)}var mo=e=>JSON.stringify(e,null,2);function zt(e,t){return t.$ref?t.$ref.slice(2).split("/").reduce((n,o)=>n[o],e):t}function Ye(e,t,n=[]){return Array.isArray(t)?t.map(o=>Ye(e,o,n)):typeof t!="object"||t===null||n.includes(t.$ref)?t:t.$ref?Ye(e,zt(e,t),[...n,t.$ref]):Object.fromEntries(Object.entries(t).map(([o,s])=>[o,Ye(e,s,n)]))}var Gt={};J(Gt,{Search:()=>Jt,operations:()=>ss,shows:()=>as});var ss=["search_context"],as=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",is=20,$o=50;function Jt(){let{query:e}=b(D),[t,n]=y(is),o=te(e.q??""),s={q:o,source:e.source,after:ho(e.after),before:ho(e.before,1),limit:t},{body:r,error:c,isLoading:i,retry:p}=N("search_context",s),d=N("list_sources",{});return a`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>A({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>A({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>a`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>A({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>A({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&a`<${O} error=${c} retry=${p} />`}
    ${!r&&i&&a`<${C} />`}
    ${r&&a`<${cs} body=${r} term=${o} isLoading=${i} onMore=${t<$o&&(()=>n($o))} />`}
  `}function cs({body:e,term:t,isLoading:n,onMore:o}){let{query:s}=b(D),{items:r,hasMore:c}=e.data,i=Ce(()=>ls(r),[r]),p=i.kind.has(s.kind)?s.kind:"",d=p?r.filter(({kind:u})=>u===p):r,l=new Map(r.map(({sourceId:u,sourceLabel:h})=>[u,h])),m=s.after?.slice(0,4),f=m&&s.after===Vt(m).after&&s.before===Vt(m).before;return a`
    ${r.length>0&&a`<div class="facets">
      <${Kt} name="Kinds" counts=${i.kind} chosen=${p} onPick=${u=>A({kind:u})} />
      <${Kt} name="Sources" counts=${i.source} chosen=${s.source} labels=${l} onPick=${u=>A({source:u})} />
      <${Kt} name="Years" counts=${i.year} chosen=${f?m:""} onPick=${u=>A(Vt(u))} />
      ${c&&a`<p class="quiet">Counted in the ${r.length} newest results; there are more.</p>`}
    </div>`}
    <p class="sr" role="status">${d.length} results</p>
    ${!d.length&&a`<${R}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${n}>
      ${d.map(u=>a`<${ps} key=${`${u.kind} ${u.id}`} item=${u} term=${t} />`)}
    </ol>
    ${c&&a`<p class="actions">
      ${o?a`<button type="button" onClick=${o}>Show more</button>`:a`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${F} meta=${e.meta} />
  `}var Vt=e=>e?{after:`${e}-01-01`,before:`${e}-12-31`}:{after:"",before:""};function ls(e){return Object.fromEntries(Object.entries({kind:({kind:n})=>n,source:({sourceId:n})=>n,year:({updatedAt:n})=>n&&String(new Date(n).getFullYear())}).map(([n,o])=>[n,new Map([...Map.groupBy(e,o)].map(([s,r])=>[s,r.length]))]))}function Kt({name:e,counts:t,chosen:n,labels:o,onPick:s}){let r=[...t.keys()].filter(c=>c!==null).sort();return a`<div class="chips" role="group" aria-label=${e}>
    <span class="quiet" aria-hidden="true">${e}</span>
    ${r.map(c=>a`<button type="button" class="chip" key=${c} dir="auto" aria-pressed=${c===n}
      onClick=${()=>s(c===n?"":c)}>${o?.get(c)??c} ${t.get(c)}</button>`)}
  </div>`}var us=e=>Ue(e.href)?.operation.name==="read_knowledge";function ps({item:e,term:t}){let n=oe(e.href),o=a`<${H} text=${e.title} term=${t} />`;return a`<li>
    <h2 dir="auto">${n?a`<a href=${n}>${o}</a>`:e.href?a`<${j} url=${e.href}>${o}<//>`:o}</h2>
    ${us(e)?a`<${Xe} text=${e.preview} term=${t} />`:a`<p dir="auto"><${H} text=${e.preview} term=${t} /></p>`}
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&a`<${M} at=${e.updatedAt} />`}</p>
  </li>`}function ho(e,t=0){if(!e)return;let n=new Date(`${e}T00:00`);return n.setDate(n.getDate()+t),Number.isNaN(n.getTime())?void 0:n.toISOString()}var ds=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],fs=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function _o(){let e=b(V);return a`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?a`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${g("explore")}>Explore</a></p>`:a`<${ge} onDone=${()=>location.assign(g("explore"))} />`}
    </section>
    <${ms} />
    <ul class="promises">${ds.map(([t,n])=>a`<li><h2>${t}</h2><p>${n}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization, who issues it at the desk or with this command. It is
          shown once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${Ve} text=${fs} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${g("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${g("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${g("reference")}>Read the reference</a> <span class="quiet">${S.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function ms(){let[e,t]=y(null),n=()=>fetch("readyz",{cache:"no-store"}).then(s=>s.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return a`<p class="actions"><button type="button" onClick=${n}>Is the service ready?</button></p>`;let o=e.status==="ready";return a`<p class="readiness" role="status">
    <span class="status tone-${o?"current":"unavailable"}"><${Oe} status=${o?"current":"unavailable"} />${o?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([s,r])=>a`<span class="quiet">${s} ${r}</span>`)}
  </p>`}var Zt={};J(Zt,{Token:()=>Xt,operations:()=>$s,shows:()=>hs});var $s=["get_token"],hs=()=>"the stored summary of the linked token";function Xt(){let{body:e,error:t,retry:n}=N("get_token",{});if(t)return a`<${O} isWhole error=${t} retry=${n} />`;if(!e)return a`<${C} />`;let{connected:o,token:s,index:r,holders:c,latestFees:i,latestTradeAt:p,sources:d}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${s?`${s.name} (${s.symbol})`:"No token is stored"}</h1>
      <${F} meta=${e.meta} />
    </div>
    ${!o&&a`<${R}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&a`<div><dt>holders</dt><dd>${L(c.count)}</dd></div>`}
      ${i&&a`<div><dt>price, USD</dt><dd>${L(i.priceUsd)}</dd></div>`}
      ${p&&a`<div><dt>last trade</dt><dd><${M} at=${p} /></dd></div>`}
      ${r&&a`<div><dt>index</dt><dd><${ve} status=${r.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>a`<tr>
        <th scope="row">${l}</th><td><${ve} status=${m.status} /></td><td><${M} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Qe} title="Token" members=${s} />
      <${Qe} title="Index" members=${r} />
      <${Qe} title="Holders" members=${c} />
      <${Qe} title="Latest fees" members=${i} />
    </div>
  `}function Qe({title:e,members:t}){return t?a`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([n,o])=>a`<div><dt>${n}</dt><dd dir="auto"><${_s} value=${o} /></dd></div>`)}</dl>
  </section>`:null}function _s({value:e}){return e===null?a`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?a`<${M} at=${e}>${G(e)}<//>`:/^https?:/.test(e)?a`<${j} url=${e} />`:a`<code>${/^\d+$/.test(e)?Rn(e):e}</code>`}var gs=new URL(Jn,import.meta.url).href,go={explore:"Explore"},Yt=B?go:{start:"Start",connect:"Connect",...go,reference:"Reference"},de={overview:{title:"Overview",view:Ft,...jt},activity:{title:"Activity",view:Ct,...Tt,operations:[...qt,...It]},search:{title:"Search",view:Jt,...Gt},knowledge:{title:"Library",view:Nt,...Pt},assets:{title:"Files",view:At,...Ot},chats:{title:"Chats",view:Mt,...Et},people:{title:"People",view:Ut,...Ht},mentions:{title:"Mentions",view:Dt,...Lt},token:{title:"Token",view:Xt,...Zt}};for(let[e,{operations:t,queries:n}]of Object.entries(de))ao(e,t,n);function ys(){let e=b(D),t=b(V),n=`${e.area}/${e.view}/${e.values.join("/")}`,o=T(null),s=T(!0);return w(()=>{document.title=`${de[e.view]?.title??Yt[e.area]??"Page not found"} · orgctx`,s.current||o.current.focus({preventScroll:!0}),s.current||scrollTo(0,0),s.current=!1},[n,t]),a`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),o.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${gs} alt="" width="26" height="26" />orgctx</a>
      ${B?a`<${vs} />`:a`<nav aria-label="Page"><ul>
        ${Object.entries(Yt).map(([c,i])=>a`<li><a href=${g(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${i}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&a`<${Vn} /><button type="button" onClick=${Te}>Forget key</button>`}</div>`}
    </header>
    <main id="main" ref=${o} tabindex="-1" class=${e.area}>
      <${Qt} key=${e.area==="reference"?e.area:n}><${bs} here=${e} isConnected=${t} /><//>
    </main>
    <${zn} />
  `}function vs(){let{name:e,access:t,desk:n}=B;return a`<p class="viewed">You see what the key <strong dir="auto">${e}</strong> reads${t==="mcp"&&" with MCP tools"}.</p>
    <a class="who" href=${n}>Back to the desk</a>`}function bs({here:e,isConnected:t}){return Object.hasOwn(Yt,e.area)?e.area==="start"?a`<${_o} />`:e.area==="connect"?a`<${ro} view=${e.view} />`:e.area==="reference"?a`<${fo} view=${e.view} />`:t?a`<${ks} here=${e} />`:a`<${ws} here=${e} />`:a`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function ws({here:e}){let{title:t="Explore",operations:n,shows:o}=de[e.view||"overview"]??{},s=n?.flatMap(r=>le(r).scopes)??[];return a`<section class="card entrance">
    <h1>${t}</h1>
    ${o&&a`<p dir="auto">With a key, this address shows ${o(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(s)].map((r,c)=>a`${c>0&&" or "}<code>${r}</code>`)}.</p>`}
    <${ge} />
  </section>`}function ks({here:e}){let t=xs(),n=e.view||t[0],{view:o,operations:s=[]}=de[n]??{},r=b(me)>0;return Pn(n),a`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu">
        ${t.map(c=>a`<li><a href=${g("explore",c)} aria-current=${c===n?"page":void 0}>${de[c].title}</a></li>`)}
      </ul></nav>
    <div class="view" aria-busy=${r}>
      ${o?a`<${o} values=${e.values} query=${e.query} />`:a`<h1>View not found</h1><p>Choose one of the views of the menu.</p>`}
      ${!B&&a`<${Je} operations=${s} />`}
    </div>
  </div>`}function xs(){let e=b(he),t=n=>!e||le(n).scopes.some(o=>e.includes(o));return Object.keys(de).filter(n=>de[n].operations.some(t))}var Qt=class extends ce{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:n}){return n?a`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(n.message)}</code></p></div>`:t}};lt(a`<${ys} />`,document.getElementById("app"));
